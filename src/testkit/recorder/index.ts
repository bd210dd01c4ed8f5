/** Recording what a real agent and its client say. */
import { ownProgram } from "../../package-root.ts";

export { openRecorder, type Recorder, recorded } from "./recorder.ts";

const PROGRAM = ownProgram("testkit/recorder/main");

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
