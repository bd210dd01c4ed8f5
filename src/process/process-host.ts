/** The port to agent processes: start one, talk to it by lines, leave nothing behind. */
import type { EndMarkedOptions } from "./end-marked-processes.ts";
import type { Line } from "./line-splitter.ts";

export interface ProcessHost {
  /**
   * Starts an agent in its own process group, with an allow-listed environment that carries the owner marker.
   * Rejects with `agent_failed` and a sentence for a person when the program cannot be started, and with
   * `shutting_down` once the host is closed; then no process is left.
   */
  spawn(options: HostSpawnOptions): Promise<AgentProcess>;
  /** Ends everything that was ever started for a session and still runs, but for helpers that other agents use. */
  endSession(sessionId: string): Promise<void>;
  /**
   * Finds the commands that run for a session about to be stopped: those started within this time and not left in the
   * background, without agents and their helpers.
   */
  runningCommands(sessionId: string, startedWithinMs: number): Promise<RunningCommands>;
  /** Ends processes by their owner and resolves with their pids when they are gone. For orphans of a daemon that died. */
  sweep(options: EndMarkedOptions): Promise<number[]>;
  /** Stops every process of this daemon where it is (SIGSTOP), and those that are started meanwhile. */
  freeze(): void;
  /**
   * Stops them after this long, also where the daemon itself is stopped by then: the reaper does it. A later call replaces
   * this one, and what the reaper has stopped goes on.
   */
  freezeIn(milliseconds: number): void;
  /** They go on. Nothing where they were not stopped by `freeze`. */
  thaw(): void;
  /** Ends every process of this daemon, stopped or not. Others may be started meanwhile, and stay. */
  endAll(): Promise<void>;
  /** Ends every process of this daemon, also those agents left behind. Idempotent. */
  close(): Promise<void>;
}

export interface RunningCommands {
  /** Ends those that still run, and what they have started since: SIGTERM, 500 ms, SIGKILL. Rejects as `end` does. */
  end(): Promise<void>;
}

export interface HostSpawnOptions {
  /** A name to be found on PATH or a path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The session the process works for; absent for one that several sessions share. */
  readonly sessionId?: string;
  /** A command that an agent runs through us. It is not an agent, so it shares no helpers. */
  readonly isCommand?: boolean;
  /** Names or `PREFIX_*` patterns of the agent's own keys in the daemon's environment; `!NAME` leaves one out. */
  readonly keys?: readonly string[];
  /** Values on top of the allow-listed environment. Secret: never log it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A longer line of output is reported as `overlong`; 64 MiB when absent. */
  readonly maxLineBytes?: number;
  /** How much of stderr `stderrTail` keeps; 64 KiB when absent. */
  readonly maxStderrBytes?: number;
  /** Called for each line of stderr as it comes, without its newline. It must not throw. */
  onStderrLine?(line: string): void;
}

export interface AgentProcess {
  readonly pid: number;
  /** Tells this process from a later one with the same pid; only good for comparing. */
  readonly startTime: string;
  /**
   * The lines of stdout, in order, for one consumer. Pulled: while nobody reads, the pipe fills and the agent waits.
   * Ends at the end of output, or shortly after the agent's exit when something it started holds the pipe open;
   * all the agent itself wrote comes before that. Leaving the loop early closes the pipe.
   */
  readonly lines: AsyncIterable<Line>;
  /** `lines` in the batches they come in, none of them empty. A reader takes one or the other. */
  readonly lineBatches: AsyncIterable<readonly Line[]>;
  /** The last part of stderr, which is always read, consumer or not. Complete once `exited` has resolved. */
  stderrTail(): string;
  /**
   * Adds a newline unless there is one. Resolves when the bytes are handed to the operating system, so an agent
   * that does not read holds it back. Rejects with `session_closed` once the input is closed or the agent gone, which
   * may be before its exit is known. Calls keep their order.
   */
  write(line: string | Buffer): Promise<void>;
  /** Closes the input, which most agents take as a request to exit. Idempotent. */
  closeInput(): void;
  /** Never rejects. What the agent started may still run; `end` ends it. */
  readonly exited: Promise<AgentExit>;
  /**
   * Ends the agent and all it started, but for helpers that other agents use: closes its input, then SIGTERM, then SIGKILL, with the grace (500 ms when
   * absent) between them. Idempotent: later calls join the first. Resolves when all are gone; rejects, and may be
   * called again, when something outlasts SIGKILL. Lines nobody has begun to read by then are dropped.
   */
  end(options?: { graceMs?: number }): Promise<void>;
}

export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Not the agent ended but the connection to it, as far as is known. */
  readonly isLost?: true;
}
