/** Several nodes on one PostgreSQL: what a second writer, a reader and a command elsewhere, and a take-over cost. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { SessionClaims } from "../src/cluster/session-claims.ts";
import type { SessionAppend, Store } from "../src/core/store.ts";
import { PostgresConnection } from "../src/store/postgres/connection.ts";
import { openPostgres } from "../src/store/postgres/open-postgres.ts";
import { until } from "../src/testkit/until.ts";
import { startNode, type TestNode } from "../test/cluster/start-node.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import { dataLines } from "../test/daemon-client.ts";
import { startPostgres, type TestPostgres } from "../test/postgres/start-postgres.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { inWarmRounds, measure, medianOf } from "./harness/rounds.ts";
import { sampleAppends } from "./harness/sample-log.ts";

export const cluster: Benchmark = {
  name: "cluster",
  summary:
    "several nodes on PostgreSQL: writing, reading and commanding elsewhere, a take-over, a million idle sessions",
  async run(scale) {
    await using server = await startPostgres();
    // As it is run for real.
    await server.stop();
    await server.start({ fsync: "on", full_page_writes: "on" });
    return [
      ...(await twoWriters(server, scale)),
      ...(await twoDaemons(server, scale)),
      ...(await idleSessions(server, scale)),
    ];
  },
};

interface Written {
  readonly medianMs: number;
  readonly eventsPerSecond: number;
  readonly cpuPerEvent: number;
}

/** Twenty sessions, all at one node or ten at each of two. Both are in this process. */
async function twoWriters(server: TestPostgres, scale: Scale): Promise<Figure[]> {
  const [sessions, perCommit] = [20, 10];
  const count = scale.size(150, 3);
  const logs = Array.from({ length: sessions }, (_, n) =>
    sampleAppends(`session-${n}`, count * perCommit, perCommit),
  );
  const batchesOf = (some: readonly SessionAppend[][]) =>
    Array.from({ length: count }, (_, place) => some.map((appends) => appends[place]!));
  const url = await server.createDatabase();
  const run = async (nodes: number): Promise<Written> => {
    await server.empty(url);
    const stores: Store[] = [];
    for (let node = 0; node < nodes; node += 1) stores.push(await openPostgres({ url, isShared: true }));
    const share = sessions / nodes;
    const times: number[] = [];
    const { wallMs, cpuMicroseconds } = await measure(() =>
      Promise.all(
        stores.map(async (store, node) => {
          for (const batch of batchesOf(logs.slice(node * share, (node + 1) * share))) {
            const started = performance.now();
            await store.append(batch.map((append) => ({ ...append, claim: { node: node + 1, epoch: 0 } })));
            times.push(performance.now() - started);
          }
        }),
      ),
    );
    for (const store of stores) await store.close();
    const events = sessions * count * perCommit;
    return {
      medianMs: quantile(times, 0.5),
      eventsPerSecond: (events / wallMs) * 1000,
      cpuPerEvent: cpuMicroseconds / events,
    };
  };
  const results = await inWarmRounds(scale.rounds, { one: () => run(1), two: () => run(2) });
  const figure = (name: string, unit: string, pick: (written: Written) => number): Figure => ({
    name: `${name}, 20 sessions of two nodes, 10 events each per commit`,
    unit,
    value: medianOf(results.two, pick),
    baseline: { name: "one node", value: medianOf(results.one, pick) },
  });
  return [
    figure("commit, p50", "ms", ({ medianMs }) => medianMs),
    figure("stored", "events/s", ({ eventsPerSecond }) => eventsPerSecond),
    figure("CPU of Node per event", "µs", ({ cpuPerEvent }) => cpuPerEvent),
  ];
}

/** A session at one daemon, read and commanded at another, which takes it over in the end. */
async function twoDaemons(server: TestPostgres, scale: Scale): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  const root = mkdtempSync(join(directory.path, "root-"));
  const store = await server.createDatabase();
  const start = () =>
    startNode({ data: mkdtempSync(join(directory.path, "data-")), root, store, leaseMs: LEASE_MS });
  const nodes = [await start(), await start()];
  try {
    const about = { id: "s", agent: "mock", cwd: root, options: { pace: 1 } };
    await nodes[0]!.client.call("POST", "/v1/sessions", about);
    const [owner, other] = (await isOwner(nodes[0]!, server, store)) ? nodes : nodes.toReversed();
    if (!owner || !other) throw new Error("there are two nodes");
    await Promise.all([readAll(owner), readAll(other)].map(({ reading }) => reading));
    const added = await addedLatency(owner, other, scale.size(300, 20));
    const [here, there] = [await commandMs(owner, scale), await commandMs(other, scale)];
    const takeOverMs = await takeOver(owner, other);
    return [
      { name: "reader at another node: delivered later than at the owner, p50", unit: "ms", value: added },
      {
        name: "command at another node, p50",
        unit: "ms",
        value: there,
        baseline: { name: "at the owner", value: here },
      },
      {
        name: "kill -9 to the end of the turn at another node",
        unit: "ms",
        value: takeOverMs,
        baseline: { name: "lease", value: LEASE_MS },
      },
    ];
  } finally {
    for (const node of nodes) node.kill("SIGKILL");
    await Promise.all(nodes.map(({ ended }) => ended));
  }
}

const LEASE_MS = 10_000;

/** A new session is placed at any of the nodes. */
async function isOwner({ client }: TestNode, server: TestPostgres, store: string): Promise<boolean> {
  const { nodes } = await client.call<{ nodes: { id: number; self: boolean }[] }>("GET", "/v1/nodes");
  const sql = "SELECT owner FROM interlingua.log_head";
  const [row] = await server.query<{ owner: string }>(sql, new URL(store).pathname.slice(1));
  return nodes.find(({ self }) => self)?.id === Number(row!.owner);
}

/** When each event came, by its seq. */
function readAll({ client }: TestNode): { times: Map<number, number>; reading: Promise<void>; stop(): void } {
  const times = new Map<number, number>();
  const stopping = new AbortController();
  const reading = Promise.withResolvers<void>();
  const read = async () => {
    const path = "/v1/sessions/s/events/sse?after=0";
    for await (const line of dataLines(await client.request("GET", path, undefined, stopping.signal))) {
      times.set((JSON.parse(line) as { seq: number }).seq, performance.now());
      reading.resolve();
    }
  };
  void read().catch(() => {});
  return { times, reading: reading.promise, stop: () => stopping.abort() };
}

async function addedLatency(owner: TestNode, other: TestNode, deltas: number): Promise<number> {
  const readers = [readAll(owner), readAll(other)];
  await Promise.all(readers.map(({ reading }) => reading));
  await owner.client.prompt("s", `scenario:burst:${deltas}`);
  await until(async () => (await viewAt(owner)).status === "idle", 120_000);
  const [here, there] = readers.map(({ times }) => times) as [Map<number, number>, Map<number, number>];
  await until(() => there.size >= here.size);
  for (const reader of readers) reader.stop();
  return quantile(
    [...here].map(([seq, at]) => there.get(seq)! - at),
    0.5,
  );
}

function viewAt({ client }: TestNode): Promise<{ status: string; queued: number }> {
  return client.call("GET", "/v1/sessions/s");
}

async function commandMs({ client }: TestNode, scale: Scale): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < scale.size(200, 5); n += 1) {
    const started = performance.now();
    await client.call("PATCH", "/v1/sessions/s", { title: `title ${n}` });
    times.push(performance.now() - started);
  }
  return quantile(times, 0.5);
}

async function takeOver(owner: TestNode, other: TestNode): Promise<number> {
  await owner.client.prompt("s", "scenario:hang");
  // A session that is running may still have its prompt in the queue, and another node would send that prompt again.
  await until(async () => (await viewAt(owner)).queued === 0);
  const killed = performance.now();
  owner.kill("SIGKILL");
  const isOver = async () => {
    const { events } = await other.client.call<{ events: { error?: { code: string } }[] }>(
      "GET",
      "/v1/sessions/s/events?limit=1000",
    );
    return events.some(({ error }) => error?.code === "node_lost");
  };
  await until(isOver, 60_000);
  return performance.now() - killed;
}

/** Rows of sessions that nobody uses, made by the database itself. */
async function idleSessions(server: TestPostgres, scale: Scale): Promise<Figure[]> {
  const count = scale.size(1_000_000, 1000);
  const url = await server.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const store = await openPostgres({ url, isShared: true });
  const empty = await timesOf(store, server, database, "few", scale);
  const before = await bytesOf(server, database);
  await server.query(
    `INSERT INTO interlingua.session (id, key, agent, cwd, status, created_at, updated_at, open_asks, queued, attached, request)
      SELECT nextval('interlingua.session_number'), 'idle-' || n, 'mock', '/work', 'idle', n, n, 0, 0, false, '{"agent":"mock"}'
      FROM generate_series(1, ${count}) n;
    INSERT INTO interlingua.log_head (session, format) SELECT id, 1 FROM interlingua.session WHERE key LIKE 'idle-%';
    ANALYZE`,
    database,
  );
  const bytes = ((await bytesOf(server, database)) - before) / count;
  const full = await timesOf(store, server, database, "many", scale);
  await store.close();
  const beside = (name: string, pick: (times: IdleTimes) => number): Figure => ({
    name: `${name} beside ${count} idle sessions, p50`,
    unit: "ms",
    value: pick(full),
    baseline: { name: "beside none", value: pick(empty) },
  });
  return [
    { name: `an idle session of ${count}, with its indexes`, unit: "bytes", value: bytes },
    beside("list of 50", ({ list }) => list),
    beside("claim", ({ claim }) => claim),
    beside("append", ({ append }) => append),
  ];
}

interface IdleTimes {
  list: number;
  claim: number;
  append: number;
}

async function bytesOf(server: TestPostgres, database: string): Promise<number> {
  const sql = `SELECT pg_total_relation_size('interlingua.session') + pg_total_relation_size('interlingua.log_head') AS bytes`;
  return Number((await server.query<{ bytes: string }>(sql, database))[0]!.bytes);
}

async function timesOf(
  store: Store,
  server: TestPostgres,
  database: string,
  name: string,
  scale: Scale,
): Promise<IdleTimes> {
  const rounds = scale.size(60, 3);
  const [node] = await server.query<{ id: string }>(
    `INSERT INTO interlingua.node (name, daemon) VALUES ('${name}', '${name}') RETURNING id`,
    database,
  );
  const id = Number(node!.id);
  const appends = sampleAppends(`live-${name}`, rounds * 10, 10);
  const connection = await PostgresConnection.open({ url: server.url(database) });
  const claims = new SessionClaims(connection);
  const times = { list: [] as number[], claim: [] as number[], append: [] as number[] };
  const timed = async (kind: keyof IdleTimes, act: () => Promise<unknown>) => {
    const started = performance.now();
    await act();
    times[kind].push(performance.now() - started);
  };
  let epoch = 0;
  for (const append of appends) {
    await timed("append", () => store.append([{ ...append, claim: { node: id, epoch } }]));
    await timed("list", () => store.listSessions({ limit: 50 }));
    await timed("claim", async () => {
      epoch = (await claims.claim(`live-${name}`, id))!.epoch;
    });
  }
  await connection.close();
  const median = (kind: keyof IdleTimes) => quantile(times[kind], 0.5);
  return { list: median("list"), claim: median("claim"), append: median("append") };
}
