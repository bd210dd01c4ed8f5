/** The rules for tokens. */
import { ConfigError } from "./config-error.ts";

/** If other machines can connect, a token must be impossible to guess. */
const SHORTEST_TOKEN = 16;

/** It travels in a header, which limits the alphabet. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** Throws for a token that other machines could guess. `source` is where its author wrote it. */
export function assertTokenStrength(source: string, token: string, host: string): void {
  // A repeated character is long and yet no secret.
  if (token.length >= SHORTEST_TOKEN && new Set(token).size > SHORTEST_TOKEN / 4) return;
  throw new ConfigError(
    `${source}: ${host} can be reached from other machines, and this token is easy to guess. ` +
      `It needs at least ${SHORTEST_TOKEN} characters; make one with: openssl rand -hex 32`,
  );
}
