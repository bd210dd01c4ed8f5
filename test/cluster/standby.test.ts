/** A standby takes the place of a primary that died: what is promised where it has confirmed every commit, and where not. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { SampleSession } from "../../src/store/contract/sample-session.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { Random } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import type { TestPostgres } from "../postgres/start-postgres.ts";
import { PromptedSession } from "./daemons/prompted-session.ts";
import { WanderingClient } from "./daemons/wandering-client.ts";
import type { FlakyProxy } from "./flaky-proxy.ts";
import { createSession, dispatchedIn } from "./node-sessions.ts";
import type { TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let primary: TestPostgres;
let standby: TestPostgres;
/** The way of the standby to the primary, and that of everybody else to the one of them that is the primary. */
let replication: FlakyProxy;
let way: FlakyProxy;

beforeEach(async () => {
  cluster = await TestCluster.start();
  primary = cluster.postgres;
});

afterEach(() => cluster[Symbol.asyncDispose]());

async function startPair(): Promise<void> {
  replication = await cluster.startProxy();
  way = await cluster.startProxy();
  standby = cluster.use(await primary.startStandby(replication.port));
  await until(async () => (await isStreaming()).length === 1);
}

function isStreaming(): Promise<{ sync_state: string }[]> {
  return primary.query("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'");
}

/** From now on a commit waits until the standby has it. */
async function waitForStandby(): Promise<void> {
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await primary.query("SELECT pg_reload_conf()");
  await until(async () => (await isStreaming())[0]?.sync_state === "sync");
}

/** The primary dies, and everybody finds the other one in its place. */
async function failOver(): Promise<void> {
  way.refuses = true;
  way.cut();
  await primary.stop("crash");
  await standby.query("ALTER SYSTEM RESET synchronous_standby_names").catch(() => {});
  await standby.query("SELECT pg_promote()");
  Object.assign(way, { target: standby.port, refuses: false });
}

function startNodes(count: number): Promise<TestNode[]> {
  const store = cluster.storeBehind(way);
  return Promise.all(Array.from({ length: count }, () => cluster.startNode({ store })));
}

function createClient(nodes: readonly TestNode[]): WanderingClient {
  const access = nodes.map(({ client }) => client);
  const client = new WanderingClient(() => access, new Random(7));
  cluster.defer(() => client.close());
  return client;
}

async function headAt(server: TestPostgres, session: string): Promise<number> {
  const [found] = await server.query<{ head: string }>(
    `SELECT head FROM interlingua.log_head h JOIN interlingua.session s ON s.id = h.session WHERE key = '${session}'`,
    cluster.database,
  );
  return Number(found?.head ?? 0);
}

it("synchronous: nothing is lost that was acknowledged or seen, and all goes on", async () => {
  await startPair();
  await waitForStandby();
  const client = createClient(await startNodes(2));
  const session = new PromptedSession("s", client, new Random(3));
  await session.create(cluster.root);
  for (const watcher of session.watchers) cluster.defer(() => watcher.close());
  for (let n = 0; n < 4; n += 1) await session.prompt();
  const before = await headAt(primary, "s");
  const failing = failOver();
  for (let n = 0; n < 4; n += 1) await session.prompt();
  await failing;
  await session.prompt();
  await until(() => session.isIdle(), 60_000);
  const log = await session.expectWhole();
  expect(log.length).toBeGreaterThan(before);
  expect(log.filter((event) => event.type === "notice" && event.code === "events-lost")).toEqual([]);
});

it("asynchronous: what is lost is noticed and said, and nobody gets other events under known numbers", async () => {
  await startPair();
  const nodes = await startNodes(2);
  const client = createClient(nodes);
  const session = new PromptedSession("s", client, new Random(3));
  await createSession({ client }, "s", { cwd: cluster.root });
  const isIdle = () => session.isIdle();
  await client.prompt("s", "scenario:text first", "kept");
  await until(isIdle, 60_000);
  const kept = await headAt(primary, "s");
  await until(async () => (await headAt(standby, "s")) === kept);

  // The standby gets nothing more, and nobody waits for it.
  Object.assign(replication, { refuses: true });
  replication.cut();
  const readers = nodes.map((node) => readToEnd(node, "s"));
  await client.prompt("s", "scenario:burst:200 second", "lost");
  await until(isIdle, 60_000);
  const head = await headAt(primary, "s");
  expect(head).toBeGreaterThan(kept + 100);
  await until(() => readers.every(({ text }) => text.includes(`id: ${head}\n`)));
  await failOver();

  // An old cursor belongs to what is not there any more.
  const refused = await client.request("GET", `/v1/sessions/s/events?after=${head}`);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: "cursor_beyond_end" });
  await client.prompt("s", "scenario:text third", "after");
  await until(isIdle, 60_000);
  await until(() => readers.every(({ hasEnded }) => hasEnded));
  for (const { text } of readers) {
    expect(text).toContain("The database has lost events");
    // Each number came once.
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(ids.map((_, place) => place + 1));
  }

  const { events } = await client.call<{ events: SessionEvent[] }>("GET", "/v1/sessions/s/events?limit=1000");
  expect(checkLog(events, { complete: true })).toEqual([]);
  expect(events[kept]).toMatchObject({
    type: "notice",
    level: "error",
    code: "events-lost",
    data: { after: kept, lost: head - kept, lineage: 1 },
  });
  expect(dispatchedIn(events)).toEqual(["kept", "after"]);
});

it("a wait for the standby that is cut off is no success: the append is in doubt until the standby has it", async () => {
  await startPair();
  const sample = new SampleSession("a");
  const store = await openPostgres({ url: cluster.storeBehind(way) });
  cluster.defer(() => store.close());
  await store.append([sample.batch({ events: 1 })]);
  await waitForStandby();
  replication.stalls = true;
  const batch = sample.batch({ events: 2 });
  const outcome = store.append([batch]).then(
    () => "written",
    (error) => error,
  );
  const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await until(async () => (await primary.query(`SELECT 1 ${waiting}`)).length > 0);
  await primary.query(`SELECT pg_cancel_backend(pid) ${waiting}`);
  expect(await outcome).toMatchObject({ name: "StoreWriteError", retryable: true });
  expect(await headAt(primary, "a")).toBe(3);
  // Sent again it finds itself written, and waits for the standby all the same.
  let isDone = false;
  const again = store.append([batch]).then(() => {
    isDone = true;
  });
  await until(async () => isDone || (await primary.query(`SELECT 1 ${waiting}`)).length > 0);
  expect(isDone).toBe(false);
  replication.stalls = false;
  await again;
  await until(async () => (await headAt(standby, "a")) === 3);
});

/** Reads a stream until it ends. */
function readToEnd({ client }: TestNode, session: string): { text: string; hasEnded: boolean } {
  const reader = { text: "", hasEnded: false };
  const read = async () => {
    const response = await client.request("GET", `/v1/sessions/${session}/events/sse?after=0`);
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      reader.text += decoder.decode(chunk, { stream: true });
  };
  void read()
    .catch(() => {})
    .finally(() => {
      reader.hasEnded = true;
    });
  return reader;
}
