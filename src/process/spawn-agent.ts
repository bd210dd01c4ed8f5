/** Starts one agent process as an `AgentProcess`, whatever its lines mean. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterOneTurn } from "../core/after-one-turn.ts";
import { InterlinguaError } from "../core/error.ts";
import { flatten } from "../core/flatten.ts";
import { endProcesses } from "./end-processes.ts";
import { type Line, LineSplitter, readableText } from "./line-splitter.ts";
import { OWNER_VARIABLE } from "./owner-marker.ts";
import { type Family, familyMembers } from "./process-family.ts";
import type { AgentExit, AgentProcess } from "./process-host.ts";
import { type ProcessEntry, type ProcessIdentity, processTable } from "./process-table.ts";
import { DRAIN_MS, readOutput } from "./read-output.ts";
import type { Reaper } from "./reaper.ts";
import type { RetainedHelpers, SharedHelpers } from "./shared-helpers.ts";
import { spawnFailure } from "./spawn-failure.ts";
import { StderrTail } from "./stderr-tail.ts";

export interface SpawnAgentOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment, `INTERLINGUA_OWNER` included. */
  readonly environment: Readonly<Record<string, string>>;
  readonly reaper: Reaper;
  /** What it shares with other agents; nothing when absent. */
  readonly helpers?: SharedHelpers;
  readonly maxLineBytes?: number;
  readonly maxStderrBytes?: number;
  onStderrLine?(line: string): void;
}

const DEFAULT_GRACE_MS = 500;
const DEFAULT_MAX_STDERR_BYTES = 64 * 1024;
/** A longer line, in characters, takes a while to write. Making it took one too, so others come in between. */
const LONG_LINE = 1024 * 1024;

/** Resolves when the program runs; rejects with `agent_failed`, naming the command, when it cannot be started. */
export async function spawnAgent(options: SpawnAgentOptions): Promise<AgentProcess> {
  const { command, args, cwd, environment } = options;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(command, args, { cwd, env: environment, detached: true, stdio: "pipe" });
  } catch (error) {
    throw spawnFailure(command, cwd, error as Error);
  }
  if (child.pid === undefined) {
    const [error] = await once(child, "error");
    throw spawnFailure(command, cwd, error);
  }
  // At once: if the daemon dies between the start and this line, only a sweep finds the agent.
  options.reaper.watch(child.pid);
  const agent = new ChildAgent(child, identify(child.pid, options), options);
  await once(child, "spawn");
  return agent;
}

/** The start time needs no waiting: a child that died already stays in the table until the event loop turns. */
function identify(pid: number, { command, cwd }: SpawnAgentOptions): ProcessIdentity {
  try {
    const entry = processTable.read(pid);
    if (entry !== undefined) return entry;
    throw new Error("the system does not list its process");
  } catch (error) {
    process.kill(-pid, "SIGKILL");
    throw spawnFailure(command, cwd, error as Error);
  }
}

class ChildAgent implements AgentProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly lines: AsyncIterable<Line>;
  readonly lineBatches: AsyncIterable<readonly Line[]>;
  readonly exited: Promise<AgentExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: SpawnAgentOptions;
  readonly #family: Family;
  readonly #stderrTail: StderrTail;
  /** The exit itself, before stderr is read to its end. */
  readonly #exit: Promise<AgentExit>;
  #linesWereAskedFor = false;
  #ending: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, identity: ProcessIdentity, options: SpawnAgentOptions) {
    this.pid = identity.pid;
    this.startTime = identity.startTime;
    this.#child = child;
    this.#options = options;
    const marker = options.environment[OWNER_VARIABLE];
    this.#family = { leader: identity, marker };
    if (marker !== undefined) options.helpers?.add(marker, identity);
    this.#stderrTail = new StderrTail(options.maxStderrBytes ?? DEFAULT_MAX_STDERR_BYTES);
    this.#exit = new Promise((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    // A broken pipe concerns its reader or writer and must not crash the daemon.
    for (const source of [child, child.stdin, child.stdout, child.stderr]) source.on("error", () => {});
    const stderrRead = this.#readStderr();
    this.exited = this.#exit.then(async (exit) => {
      if (marker !== undefined) options.helpers?.remove(marker);
      if (!groupExists(identity.pid)) options.reaper.forget(identity.pid);
      await settlesWithin(stderrRead, DRAIN_MS);
      return exit;
    });
    this.lineBatches = this.#readBatches(readOutput(child.stdout, this.#exit));
    this.lines = flatten(this.lineBatches);
  }

  stderrTail(): string {
    return this.#stderrTail.toString();
  }

  write(line: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (cause?: Error) =>
        reject(
          new InterlinguaError("session_closed", `"${this.#options.command}" takes no more input`, { cause }),
        );
      const { stdin } = this.#child;
      if (!stdin.writable) return refuse();
      if (line.length > LONG_LINE) {
        stdin.cork();
        afterOneTurn(() => stdin.uncork());
      }
      stdin.write(withNewline(line), (error) => (error ? refuse(error) : resolve()));
    });
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  end(options: { graceMs?: number } = {}): Promise<void> {
    this.#ending ??= this.#end(options.graceMs ?? DEFAULT_GRACE_MS).catch((error) => {
      this.#ending = undefined;
      throw error;
    });
    return this.#ending;
  }

  async #end(graceMs: number): Promise<void> {
    // Before the agent is asked to exit: agents give their tools their own sessions, and once a parent is gone its
    // children cannot be found.
    const entries = await processTable.list();
    const retained = this.#retainHelpers(entries);
    try {
      const helpers = retained?.helpers;
      const select = (entries: readonly ProcessEntry[], known: readonly ProcessEntry[] = []) =>
        familyMembers(entries, this.#family, { known, helpers });
      const known = select(entries);
      this.closeInput();
      await settlesWithin(this.#exit, graceMs);
      await endProcesses({ select, known, graceMs });
    } finally {
      await retained?.finish();
    }
    await this.exited;
    this.#options.reaper.forget(this.pid);
    this.#child.stderr.destroy();
    if (!this.#linesWereAskedFor) this.#child.stdout.destroy();
  }

  #retainHelpers(entries: readonly ProcessEntry[]): RetainedHelpers | undefined {
    const { leader, marker } = this.#family;
    if (marker === undefined) return undefined;
    const outside = familyMembers(entries, this.#family).filter(({ group }) => group !== leader.pid);
    return this.#options.helpers?.retain(marker, leader, outside, entries);
  }

  async *#readBatches(output: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[], void> {
    // `end` came before the first read. Without this, output buffered on our side would still be read.
    if (this.#child.stdout.destroyed) return;
    this.#linesWereAskedFor = true;
    const splitter = new LineSplitter({ maxLineBytes: this.#options.maxLineBytes });
    for await (const chunk of output) {
      const lines = splitter.push(chunk);
      if (lines.length > 0) yield lines;
    }
    const rest = splitter.end();
    if (rest.length > 0) yield rest;
  }

  /** Resolves at the end of stderr. */
  async #readStderr(): Promise<void> {
    const { stderr } = this.#child;
    const splitter = new LineSplitter({
      maxLineBytes: this.#options.maxStderrBytes ?? DEFAULT_MAX_STDERR_BYTES,
    });
    const report = (lines: Line[]) => {
      for (const line of lines) this.#options.onStderrLine?.(readableText(line));
    };
    stderr.on("data", (chunk: Buffer) => {
      this.#stderrTail.push(chunk);
      report(splitter.push(chunk));
    });
    // Not `once` from node:events, which rejects on an error before the close.
    await new Promise((resolve) => stderr.once("close", resolve));
    report(splitter.end());
  }
}

function withNewline(line: string | Buffer): string | Buffer {
  if (typeof line === "string") return line.endsWith("\n") ? line : `${line}\n`;
  return line.at(-1) === 10 ? line : Buffer.concat([line, Buffer.from("\n")]);
}

function groupExists(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Waits for the promise, but no longer than this. Says whether it settled; leaves no timer behind. */
async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = sleep(milliseconds, false, { signal: timer.signal });
  return Promise.race([settled, late]).finally(() => timer.abort());
}
