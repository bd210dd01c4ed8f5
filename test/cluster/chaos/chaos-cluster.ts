/** Three node processes, each with two ways to one PostgreSQL that can be cut, and what they have recorded. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestPostgres } from "../../postgres/start-postgres.ts";
import { type FlakyProxy, startFlakyProxy } from "../flaky-proxy.ts";
import type { ChaosNodeOptions } from "./chaos-node.ts";
import type { HistoryRecord } from "./history.ts";

const SCRIPT = join(import.meta.dirname, "chaos-node.ts");

/** What every process of a run gets. */
export type SharedOptions = Pick<ChaosNodeOptions, "times" | "sessions" | "sabotage">;

/** One of the nodes, over all its processes. */
export class ChaosMember {
  readonly name: string;
  /** The way of what is written, and that of beats and claims. */
  readonly store: FlakyProxy;
  readonly beats: FlakyProxy;
  readonly #options: Omit<ChaosNodeOptions, "seed" | "isDisobedient" | "history">;
  readonly #folder: string;
  readonly histories: string[] = [];
  #child: ChildProcess | undefined;
  errors = "";

  constructor(
    name: string,
    folder: string,
    proxies: { store: FlakyProxy; beats: FlakyProxy },
    options: Omit<ChaosNodeOptions, "seed" | "isDisobedient" | "history" | "name">,
  ) {
    this.name = name;
    this.store = proxies.store;
    this.beats = proxies.beats;
    this.#folder = folder;
    this.#options = { ...options, name };
  }

  start(seed: number, isDisobedient: boolean): void {
    const history = join(this.#folder, `${this.name}-${this.histories.length}.jsonl`);
    this.histories.push(history);
    const options: ChaosNodeOptions = { ...this.#options, history, seed, isDisobedient };
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    child.stderr?.on("data", (text) => {
      this.errors = `${this.errors}${text}`.slice(-4000);
    });
    this.#child = child;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#child!, "exit");
    this.signal("SIGKILL");
    await ended;
  }

  /** It writes nothing more, and frees what it has. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#child!, "exit");
    this.#child!.send("stop");
    await ended;
  }

  records(): HistoryRecord[] {
    return this.histories.filter(existsSync).flatMap((file) => {
      // A kill may have cut the last line.
      const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line) as HistoryRecord);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.store[Symbol.asyncDispose]();
    await this.beats[Symbol.asyncDispose]();
  }
}

/** Nothing runs yet. */
export async function createMember(
  name: string,
  folder: string,
  postgres: TestPostgres,
  database: string,
  shared: SharedOptions,
): Promise<ChaosMember> {
  const [store, beats] = [await startFlakyProxy(postgres.port), await startFlakyProxy(postgres.port)];
  const address = ({ port }: FlakyProxy) => postgres.url(new URL(database).pathname.slice(1), port);
  const options = { ...shared, storeUrl: address(store), beatsUrl: address(beats) };
  return new ChaosMember(name, folder, { store, beats }, options);
}
