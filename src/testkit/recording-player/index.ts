/** Recordings as agents: the whole way from the process to the log, driven by what a real agent once said. */
import { ownProgram } from "../../package-root.ts";
import { type PlayerOptions, toArguments } from "./player-options.ts";

export type { PlayerOptions } from "./player-options.ts";

const PROGRAM = ownProgram("testkit/recording-player/main");

/**
 * The command that plays a recording in place of its agent. Of the arguments that an adapter adds it
 * only knows `--version`.
 *
 * @example
 * const { command, args } = recordingPlayer("perm-deny.recording.jsonl", { cutAfter: 12, signal: "SIGKILL" });
 * const adapter = createMyAdapter({ processHost, command, args });
 */
export function recordingPlayer(
  file: string,
  options: PlayerOptions = {},
): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [PROGRAM, ...toArguments({ ...options, file })] };
}
