/** One chaos run: starts the nodes, does to them what the seed says, lets them go on, and reads what is left. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { Random } from "../../../src/testkit/random.ts";
import { until } from "../../../src/testkit/until.ts";
import type { TestPostgres } from "../../postgres/start-postgres.ts";
import type { FlakyProxy } from "../flaky-proxy.ts";
import { type ChaosMember, createMember } from "./chaos-cluster.ts";
import { checkHistory, type Violation } from "./check-history.ts";
import { readLogs } from "./read-logs.ts";
import type { Sabotage } from "./sabotage.ts";

export interface ChaosOptions {
  seed: number;
  /** How long faults are made. */
  faultsMs: number;
  sabotage?: Sabotage;
  /** How often PostgreSQL is killed. */
  crashes?: number;
  /** How long it may take until all sessions go on again. */
  patienceMs?: number;
}

export interface ChaosOutcome {
  violations: Violation[];
  /** What the store says of its own data. */
  problems: string[];
  /** How often each fault was made, and what there was. */
  counts: Record<string, number>;
}

const TIMES = { beatMs: 80, freezeMs: 400, deadMs: 700, reconcileMs: 250 };
const SESSIONS = Array.from({ length: 12 }, (_, number) => `s${number}`);
const NODES = ["a", "b", "c"];
const DISOBEDIENT_CHANCE = 0.8;
const MAX_FAULT_MS = 2 * TIMES.deadMs;
const SILENCE_MS = [1.5 * TIMES.deadMs, 2.5 * TIMES.deadMs] as const;
const MAX_CALM_MS = 1000;
const PATIENCE_MS = 30_000;

export async function runChaos(postgres: TestPostgres, options: ChaosOptions): Promise<ChaosOutcome> {
  const { seed, sabotage } = options;
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), "il-chaos-"));
  const database = await postgres.createDatabase();
  // The tables are there before the nodes are.
  await (await openPostgres({ url: database, isShared: true })).close();
  const members: ChaosMember[] = [];
  try {
    for (const name of NODES)
      members.push(
        await createMember(name, folder, postgres, database, { times: TIMES, sessions: SESSIONS, sabotage }),
      );
    const run = new ChaosRun(postgres, database, members, random);
    for (const member of members) run.start(member);
    await run.makeFaults(options.faultsMs, options.crashes ?? 1);
    const heads = await run.goOn(options.patienceMs ?? PATIENCE_MS);
    await Promise.all(members.map((member) => member.stop()));
    const { logs, problems } = await readLogs(postgres, database, heads);
    const records = members.flatMap((member) => member.records());
    const events = logs.reduce((sum, log) => sum + log.events.length, 0);
    const claims = records.filter(({ kind }) => kind === "claimed").length;
    return {
      violations: checkHistory(records, logs),
      problems,
      counts: { events, claims, records: records.length, ...run.counts },
    };
  } finally {
    for (const member of members) await member[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

class ChaosRun {
  readonly #postgres: TestPostgres;
  readonly #database: string;
  readonly #members: readonly ChaosMember[];
  readonly #random: Random;
  readonly counts: Record<string, number> = {};

  constructor(postgres: TestPostgres, database: string, members: readonly ChaosMember[], random: Random) {
    this.#postgres = postgres;
    this.#database = database;
    this.#members = members;
    this.#random = random;
  }

  start(member: ChaosMember): void {
    member.start(this.#random.integer(1, 2 ** 30), this.#random.chance(DISOBEDIENT_CHANCE));
  }

  /** Each node has its own faults, one after the other; PostgreSQL has some for all. */
  async makeFaults(durationMs: number, crashes: number): Promise<void> {
    await until(async () => (await this.#heads()).size === SESSIONS.length);
    const end = performance.now() + durationMs;
    const crashing = async () => {
      for (let crash = 0; crash < crashes; crash += 1) {
        await sleep(durationMs / (crashes + 1));
        this.#count("crash of PostgreSQL");
        await this.#postgres.stop("crash");
        await this.#postgres.start();
      }
    };
    await Promise.all([
      crashing(),
      ...this.#members.flatMap((member) =>
        [() => this.#hurtProcess(member), () => this.#hurtConnections(member)].map(async (hurt) => {
          while (performance.now() < end) {
            await sleep(this.#random.integer(0, MAX_CALM_MS));
            await hurt();
          }
        }),
      ),
    ]);
  }

  async #hurtProcess(member: ChaosMember): Promise<void> {
    const fault = this.#random.pick(["kill", "stop", "nothing", "nothing"]);
    this.#count(fault);
    if (fault === "kill") {
      await member.kill();
      if (this.#random.chance(0.5)) await sleep(this.#duration());
      this.start(member);
      return;
    }
    if (fault === "stop") member.signal("SIGSTOP");
    await sleep(this.#duration());
    member.signal("SIGCONT");
  }

  async #hurtConnections(member: ChaosMember): Promise<void> {
    const { store, beats } = member;
    const proxies = this.#random.pick([[store], [beats], [store, beats]]);
    const fault = this.#random.pick(["cut", "refuse", "stall", "silence", "silence", "swallow", "swallow"]);
    this.#count(fault);
    if (fault === "cut") for (const proxy of proxies) proxy.cut();
    else if (fault === "refuse") await during(proxies, this.#duration(), refuse);
    else if (fault === "stall") await during(proxies, this.#duration(), stall);
    // It writes on, and nobody sees its beats.
    else if (fault === "silence") await during([beats], this.#random.integer(...SILENCE_MS), stall);
    else if (this.#random.chance(0.8)) await this.#swallow(store, "append_");
    else await this.#swallow(beats, "claim");
  }

  /** Shorter than a lease as often as longer. */
  #duration(): number {
    const isShort = this.#random.chance(0.5);
    return isShort
      ? this.#random.integer(20, TIMES.deadMs)
      : this.#random.integer(TIMES.deadMs, MAX_FAULT_MS);
  }

  /** Answers are lost after the commit; then the connection, too. */
  async #swallow(proxy: FlakyProxy, statement: string): Promise<void> {
    const before = proxy.swallowed;
    proxy.swallowsAfter = statement;
    const deadline = performance.now() + TIMES.deadMs;
    await until(() => proxy.swallowed > before || performance.now() > deadline);
    if (proxy.swallowed > before) this.#count("answers swallowed");
    if (this.#random.chance(0.3)) await sleep(this.#random.integer(0, TIMES.deadMs));
    proxy.swallowsAfter = undefined;
    proxy.cut();
  }

  /** Everything is as it should be again. Where each log ended then; resolves when all have gone on, or not in time. */
  async goOn(patienceMs: number): Promise<Map<string, number>> {
    for (const member of this.#members) if (!member.isRunning) this.start(member);
    const heads = await this.#heads();
    const hasGoneOn = async () => {
      const now = await this.#heads().catch(() => heads);
      return [...heads].every(([session, head]) => (now.get(session) ?? 0) > head);
    };
    await until(hasGoneOn, patienceMs).catch(() => {});
    return heads;
  }

  async #heads(): Promise<Map<string, number>> {
    const rows = await this.#postgres.query<{ key: string; head: string }>(
      "SELECT key, head FROM interlingua.session JOIN interlingua.log_head ON log_head.session = session.id",
      new URL(this.#database).pathname.slice(1),
    );
    return new Map(rows.map(({ key, head }) => [key, Number(head)]));
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

function stall(proxy: FlakyProxy, isOn: boolean): void {
  proxy.stalls = isOn;
}

function refuse(proxy: FlakyProxy, isOn: boolean): void {
  proxy.refuses = isOn;
  if (isOn) proxy.cut();
}

async function during(
  proxies: readonly FlakyProxy[],
  forMs: number,
  set: (proxy: FlakyProxy, isOn: boolean) => void,
): Promise<void> {
  for (const proxy of proxies) set(proxy, true);
  await sleep(forMs);
  for (const proxy of proxies) set(proxy, false);
}
