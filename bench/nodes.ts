/** Up to ten nodes on this machine and one PostgreSQL: what a node costs, and the same load on more of them. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess, temporaryDirectory } from "../test/crash/daemon-process.ts";
import { dataLines } from "../test/daemon-client.ts";
import { startPostgres, type TestPostgres } from "../test/postgres/start-postgres.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { SseReader } from "./harness/sse-reader.ts";
import { cpuOf, memoryOf } from "./peers/process-usage.ts";

const COUNTS = [1, 2, 5, 10];

/** Each has an agent that streams some 80 events a second, and a reader at the next node. */
const SESSIONS = 10;
const PACED = "scenario:long";
const SHORT = "scenario:text";
const PATIENCE_MS = 120_000;

const UNITS = {
  "memory of a node": "MB",
  "processor time of an idle node": "ms/s",
  "commits of the database while all are idle": "commits/s",
  "connections to the database": "connections",
  "events/s": "events/s",
  "commits/s of all nodes": "commits/s",
  "share of the time in which a node commits": "%",
  "agent to reader at another node, p50": "ms",
  "agent to reader at another node, p95": "ms",
  "CPU of all nodes per event": "µs",
  "CPU of all nodes per delivery, 200 readers": "µs",
};

type Measured = Record<keyof typeof UNITS, number>;

export const nodes: Benchmark = {
  name: "nodes",
  summary: "1 to 10 nodes on this machine: what each costs, ten agents that stream, 200 readers",
  async run(scale) {
    await using server = await startPostgres();
    // As it is run for real.
    await server.stop();
    await server.start({ fsync: "on", full_page_writes: "on", max_connections: "200" });
    const url = await server.createDatabase();
    const figures: Figure[] = [];
    let alone: Measured | undefined;
    for (const count of COUNTS.slice(0, scale.size(COUNTS.length, 2))) {
      await server.empty(url);
      const measured = await measureNodes(server, url, count, scale);
      alone ??= measured;
      for (const [name, unit] of Object.entries(UNITS)) {
        const key = name as keyof Measured;
        const baseline = { name: "one node", value: alone[key] };
        const point = { curve: name, x: count };
        figures.push({ name: `${count} nodes: ${name}`, unit, value: measured[key], baseline, point });
      }
    }
    return figures;
  },
};

async function measureNodes(
  server: TestPostgres,
  store: string,
  count: number,
  { size }: Scale,
): Promise<Measured> {
  await using directory = await temporaryDirectory();
  const root = join(directory.path, "root");
  mkdirSync(root);
  const started: DaemonProcess[] = [];
  const environment = {
    INTERLINGUA_STORE: store,
    INTERLINGUA_CLUSTER_SECRET: "only-for-benchmarks-".repeat(3),
    INTERLINGUA_TOKEN: "only-for-benchmarks",
    INTERLINGUA_SHARED_ROOT: root,
  };
  try {
    for (let n = 0; n < count; n += 1) {
      const data = mkdtempSync(join(directory.path, "data-"));
      const name = { INTERLINGUA_NODE_NAME: `node-${n + 1}` };
      started.push(await DaemonProcess.start(data, { environment: { ...environment, ...name } }));
    }
    await sleep(size(2000, 1));
    const idle = await measureIdle(server, store, started, size(10_000, 10));
    const load = { root, prompt: size(1, 0) ? PACED : SHORT };
    const streamed = await measureStreams(started, load, size(3, 1));
    const perDelivery = await measureReaders(started, load, size(200, 4));
    return { ...idle, ...streamed, "CPU of all nodes per delivery, 200 readers": perDelivery };
  } finally {
    await Promise.all(started.map((node) => node.kill()));
  }
}

async function measureIdle(
  server: TestPostgres,
  store: string,
  started: readonly DaemonProcess[],
  ms: number,
) {
  const database = new URL(store).pathname.slice(1);
  const count = async (sql: string) => Number((await server.query<{ n: string }>(sql, database))[0]!.n);
  const commits = () =>
    count("SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()");
  const [cpuBefore, before] = [cpuOfAll(started), await commits()];
  await sleep(ms);
  const seconds = ms / 1000;
  return {
    "memory of a node": sum(started.map(({ pid }) => memoryOf(pid))) / started.length / 1e6,
    "processor time of an idle node": (cpuOfAll(started) - cpuBefore) / 1000 / started.length / seconds,
    "commits of the database while all are idle": ((await commits()) - before) / seconds,
    "connections to the database": await count(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    ),
  };
}

async function measureStreams(started: readonly DaemonProcess[], { root, prompt }: Load, turns: number) {
  const at = (place: number) => started[place % started.length]!;
  const delays: number[] = [];
  const ended = new Array<number>(SESSIONS).fill(0);
  const stopping = new AbortController();
  for (let n = 0; n < SESSIONS; n += 1) {
    await at(n).call("POST", "/v1/sessions", { id: `s${n}`, agent: "mock", cwd: root, checkpoints: "off" });
    void read(at(n + 1), `s${n}`, stopping.signal, (event) => {
      if (event.type === "text.delta") delays.push(Date.now() - event.at);
      if (event.type === "turn.ended") ended[n]! += 1;
    });
  }
  const turn = async (wanted: number) => {
    await Promise.all(ended.map((_, n) => at(n).prompt(`s${n}`, prompt)));
    await until(() => ended.every((count) => count >= wanted), PATIENCE_MS);
  };
  // The first one starts the agents.
  await turn(1);
  delays.splice(0);
  const [cpuBefore, before] = [cpuOfAll(started), await metricsOf(started)];
  const startedAt = performance.now();
  for (let n = 0; n < turns; n += 1) await turn(n + 2);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await metricsOf(started);
  stopping.abort();
  const events = after.events - before.events;
  return {
    "events/s": events / seconds,
    "commits/s of all nodes": (after.commits - before.commits) / seconds,
    "share of the time in which a node commits":
      ((after.busy - before.busy) / seconds / started.length) * 100,
    "agent to reader at another node, p50": quantile(delays, 0.5),
    "agent to reader at another node, p95": quantile(delays, 0.95),
    "CPU of all nodes per event": (cpuOfAll(started) - cpuBefore) / events,
  };
}

/** Readers at all nodes follow one session. */
async function measureReaders(
  started: readonly DaemonProcess[],
  { root, prompt }: Load,
  count: number,
): Promise<number> {
  const first = started[0]!;
  await first.call("POST", "/v1/sessions", { id: "watched", agent: "mock", cwd: root, checkpoints: "off" });
  const last = '"type":"turn.ended"';
  const turn = async (readers: readonly SseReader[]) => {
    const before = cpuOfAll(started);
    await first.prompt("watched", prompt);
    await Promise.all(readers.map(({ finished }) => finished));
    return cpuOfAll(started) - before;
  };
  const open = async (many: number) => {
    const { head } = await first.call<{ head: number }>("GET", "/v1/sessions/watched");
    return Promise.all(
      Array.from({ length: many }, (_, n) => {
        const { url, token } = started[n % started.length]!;
        return SseReader.open({ url, token, path: `/v1/sessions/watched/events/sse?after=${head}`, last });
      }),
    );
  };
  // The first one starts the agent.
  await turn(await open(1));
  const before = await metricsOf(started);
  const cpu = await turn(await open(count));
  return cpu / (count * ((await metricsOf(started)).events - before.events));
}

interface Load {
  /** The directory of all sessions. */
  readonly root: string;
  readonly prompt: string;
}

interface SeenEvent {
  readonly type: string;
  readonly at: number;
}

async function read(
  node: DaemonProcess,
  session: string,
  signal: AbortSignal,
  onEvent: (event: SeenEvent) => void,
): Promise<void> {
  try {
    const path = `/v1/sessions/${session}/events/sse?after=0`;
    for await (const line of dataLines(await node.request("GET", path, undefined, signal)))
      onEvent(JSON.parse(line) as SeenEvent);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function metricsOf(started: readonly DaemonProcess[]) {
  const texts = await Promise.all(
    started.map(async (node) => (await node.request("GET", "/metrics")).text()),
  );
  const total = (name: string) =>
    sum(texts.map((text) => Number(new RegExp(`^interlingua_${name} (\\S+)$`, "m").exec(text)?.[1])));
  return {
    events: total("events_total"),
    commits: total("commits_total"),
    busy: total("commit_seconds_sum"),
  };
}

function cpuOfAll(started: readonly DaemonProcess[]): number {
  return sum(started.map(({ pid }) => cpuOf(pid)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
