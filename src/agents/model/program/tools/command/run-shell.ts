/** Runs a command in a shell until it ends, its time is over or it is aborted, and ends what it started. */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { readOutput } from "../../../../../process/read-output.ts";
import { COMMAND_VARIABLE, CommandProcesses } from "./command-processes.ts";
import { OutputCollector } from "./output-collector.ts";

export interface ShellCommand {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of each of the two outputs. */
  readonly maxOutputBytes: number;
  onOutput(chunk: Buffer, from: "stdout" | "stderr"): void;
}

export interface ShellExit {
  readonly endedBy: "itself" | "timeout" | "abort";
  readonly exitCode: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  readonly stdout: OutputCollector;
  readonly stderr: OutputCollector;
}

/** Rejects when the command cannot be started, and when something it started outlasts SIGKILL. */
export async function runShell(options: ShellCommand): Promise<ShellExit> {
  const processes = new CommandProcesses();
  const child = spawn("/bin/sh", ["-c", options.command], {
    cwd: options.cwd,
    env: { ...options.environment, [COMMAND_VARIABLE]: processes.marker },
    // A session and a group of its own.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
    child.once("error", reject);
  });
  if (child.pid !== undefined) processes.started(child.pid);

  const interrupted = Promise.withResolvers<"timeout" | "abort">();
  const timer = setTimeout(() => interrupted.resolve("timeout"), options.timeoutMs);
  const abort = () => interrupted.resolve("abort");
  options.signal.addEventListener("abort", abort);
  if (options.signal.aborted) abort();

  const ended = (async () => {
    const endedBy = await Promise.race([exit.then(() => "itself" as const), interrupted.promise]);
    await (endedBy === "itself" ? processes.endGroup() : processes.endAll());
    return endedBy;
  })();
  const settled = ended.catch(() => {});
  const collect = async (stream: Readable, from: "stdout" | "stderr") => {
    const collector = new OutputCollector(options.maxOutputBytes);
    for await (const chunk of readOutput(stream, settled)) {
      collector.push(chunk);
      options.onOutput(chunk, from);
    }
    return collector;
  };

  try {
    const [stdout, stderr] = await Promise.all([
      collect(child.stdout, "stdout"),
      collect(child.stderr, "stderr"),
    ]);
    const endedBy = await ended;
    const [exitCode, exitSignal] = await exit;
    return { endedBy, exitCode, exitSignal, stdout, stderr };
  } catch (error) {
    // Whatever failed, nothing is left running.
    abort();
    await settled;
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", abort);
  }
}
