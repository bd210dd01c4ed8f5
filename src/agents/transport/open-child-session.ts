/** Starts an agent, speaks with it until it is ready, and gives the session; or fails and leaves no process. */
import type { BackendSession } from "../../core/adapter.ts";
import { DEFAULT_START_TIMEOUT_MS } from "../../core/start-timeout.ts";
import type { HostSpawnOptions, ProcessHost } from "../../process/process-host.ts";
import { ChildSession, type ChildSessionOptions } from "./child-session.ts";
import { StderrRecords } from "./stderr-records.ts";

/** The tail of stderr that goes into the exit record and into errors. */
const MAX_STDERR_BYTES = 16 * 1024;

/** How to start an agent's program: what each agent's `launch.ts` gives. */
export interface Launch extends Pick<HostSpawnOptions, "command" | "args" | "cwd" | "keys" | "environment"> {
  readonly sessionId: string;
}

export interface OpenChildSessionOptions<State>
  extends Pick<
    ChildSessionOptions<State>,
    "agent" | "translator" | "encoder" | "observe" | "onExit" | "serve"
  > {
  /** Gives the process: a new one, or a channel of a shared one, whose commands cannot be told apart by session. */
  readonly processHost: Pick<ProcessHost, "spawn"> & Partial<Pick<ProcessHost, "runningCommands">>;
  readonly launch: Launch;
  /** The first line the program gets. Secret: it is kept out of the records. */
  readonly preface?: string;
  /** Stops the start. The session rejects with its reason. */
  readonly signal?: AbortSignal;
  /** How long the agent may take to be ready. When absent: as long as `signal` allows, or 120 seconds without one. */
  readonly timeoutMs?: number;
}

/** Rejects with `agent_failed` when the program cannot be started, leaves early, declines or stays silent. */
export async function openChildSession<State>(
  options: OpenChildSessionOptions<State>,
): Promise<BackendSession> {
  const { launch, processHost, preface, timeoutMs, signal, ...rest } = options;
  signal?.throwIfAborted();
  const stderr = new StderrRecords();
  const process = await processHost.spawn({
    ...launch,
    maxStderrBytes: MAX_STDERR_BYTES,
    onStderrLine: (line) => stderr.push(line),
  });
  // A write fails only when the program is gone, and its exit shows that.
  if (preface !== undefined) process.write(preface).catch(() => {});
  const { sessionId, command, args } = launch;
  const findCommands =
    processHost.runningCommands && ((age: number) => processHost.runningCommands!(sessionId, age));
  const session = new ChildSession({ ...rest, sessionId, process, stderr, command, args, findCommands });
  try {
    await session.open({ timeoutMs: timeoutMs ?? (signal ? undefined : DEFAULT_START_TIMEOUT_MS), signal });
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}
