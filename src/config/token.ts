/** The access token: given by the user, kept from an earlier start, or made now. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopback } from "../core/is-loopback.ts";
import { keepPrivateFile } from "../files/private-file.ts";
import { assertTokenStrength, isUsableToken } from "./check-token.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { IN_MEMORY } from "./data-location.ts";

export interface AccessToken {
  readonly token: string;
  /** Where other programs of the same user find it. Absent if the user gave the token or nothing is kept. */
  readonly file?: string;
}

export function resolveToken(config: Pick<Config, "token" | "tokenFile" | "data" | "host">): AccessToken {
  if (config.token !== undefined) return { token: config.token };
  if (config.tokenFile !== undefined) return fromUsersFile(config.tokenFile, config.host);
  if (config.data === IN_MEMORY) return { token: makeToken() };
  const file = join(config.data, "token");
  return checked(keepFile(file), file, config.host);
}

/** Somebody else's file is theirs: it may be a link to a mounted secret that we only read. */
function fromUsersFile(file: string, host: string): AccessToken {
  return checked(existsSync(file) ? readTokenFile(file) : keepFile(file), file, host);
}

export function readTokenFile(file: string): string {
  return readFileSync(file, "utf8").trim();
}

/** A link in its place would let its author choose the file whose permissions we change, and read the token. */
function keepFile(file: string): string {
  try {
    return keepPrivateFile(file, makeToken);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(`--token-file: the token cannot be kept. ${reason}`, { cause: error });
  }
}

function checked(token: string, file: string, host: string): AccessToken {
  if (!isUsableToken(token)) {
    throw new ConfigError(
      `--token-file: ${file} holds no token. It needs one line of visible ASCII characters without spaces.`,
    );
  }
  if (!isLoopback(host)) assertTokenStrength("--token-file", token, host);
  return { token, file };
}

function makeToken(): string {
  return randomBytes(32).toString("base64url");
}
