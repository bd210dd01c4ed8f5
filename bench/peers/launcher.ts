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
