/** Recording what a real agent and its client say. */
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

export * from "./recorder.ts";

/** TypeScript in the repository, JavaScript in the published package. */
const PROGRAM = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));

/**
 * The command that runs an agent and records it. Arguments that an adapter adds go to the agent.
 *
 * @example const { command, args } = recordedCommand("session.recording.jsonl", { command: "claude" });
 */
export function recordedCommand(
  file: string,
  agent: { readonly command: string; readonly args?: readonly string[] },
): { readonly command: string; readonly args: readonly string[] } {
  return {
    command: process.execPath,
    args: [PROGRAM, file, "--", agent.command, ...(agent.args ?? [])],
  };
}
