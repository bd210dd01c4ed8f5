/** How a gateway starts the fast agent. */
import { resolve } from "node:path";

export function agentCommand(): string[] {
  return [process.execPath, resolve(import.meta.dirname, "fast-agent.ts")];
}

/** A shell script that starts it. */
export function launcher(): string {
  const quoted = agentCommand().map((word) => `'${word}'`);
  return `#!/bin/sh\nexec ${quoted.join(" ")}\n`;
}

/** The lightest agent there is: it agrees to everything and does nothing. Its client counts its calls from 1. */
export function idleLauncher(): string {
  const answer = '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"sessionId":"idle"}}\\n';
  return `#!/bin/sh\ncalls=0\nwhile read -r line; do calls=$((calls + 1)); printf '${answer}' "$calls"; done\n`;
}
