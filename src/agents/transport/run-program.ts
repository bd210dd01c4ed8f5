/** Runs an agent's program for a short answer such as `--version`, and leaves no process behind. */
import { tmpdir } from "node:os";
import { readableText } from "../../process/line-splitter.ts";
import type { AgentExit, HostSpawnOptions, ProcessHost } from "../../process/process-host.ts";

/** For a caller without a limit, such as a probe. Long enough for a program that was not in the page cache on a busy machine. */
const TIMEOUT_MS = 20_000;
const MAX_LINES = 1000;

type RunProgramOptions = Pick<HostSpawnOptions, "command" | "args" | "keys" | "environment"> & {
  /** The directory for temporary files when absent. */
  readonly cwd?: string;
  /** Ends the program. It replaces the limit of 20 seconds. */
  readonly signal?: AbortSignal;
};

interface ProgramAnswer extends AgentExit {
  readonly output: string;
  readonly errors: string;
}

/** Rejects when the program cannot be started, takes too long, or the signal is aborted. */
export async function runProgram(
  processHost: ProcessHost,
  { cwd = tmpdir(), signal, ...program }: RunProgramOptions,
): Promise<ProgramAnswer> {
  const stop = signal ?? AbortSignal.timeout(TIMEOUT_MS);
  stop.throwIfAborted();
  const child = await processHost.spawn({ ...program, cwd });
  const end = () => void child.end({ graceMs: 0 }).catch(() => {});
  stop.addEventListener("abort", end, { once: true });
  try {
    // It may have come while the program was being started.
    if (stop.aborted) end();
    child.closeInput();
    const lines: string[] = [];
    for await (const line of child.lines) if (lines.length < MAX_LINES) lines.push(readableText(line));
    const exit = await child.exited;
    signal?.throwIfAborted();
    if (stop.aborted)
      throw new Error(`${program.command} did not answer within ${TIMEOUT_MS / 1000} seconds`);
    return { ...exit, output: lines.join("\n"), errors: child.stderrTail() };
  } finally {
    stop.removeEventListener("abort", end);
    await child.end();
  }
}
