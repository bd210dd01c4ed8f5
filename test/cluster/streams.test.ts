/** Readers at nodes that do not have the session, while nodes die and the links between them break. */
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { Receiver } from "../../src/server/notify/receiver.test-support.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";
import type { FlakyProxy } from "./flaky-proxy.ts";
import { createSession, findListed } from "./node-sessions.ts";
import type { TestNode, TestNodeOptions } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let receiver: Receiver;
/** The other one reaches it only by way of the proxy. */
let a: TestNode;
let b: TestNode;
let proxy: FlakyProxy;
/** Between the second node and the database. */
let database: FlakyProxy;
const streams: OpenedStream[] = [];

beforeAll(async () => {
  cluster = await TestCluster.start();
  receiver = cluster.use(await Receiver.start());
  database = await cluster.startProxy();
  const port = await freePort();
  proxy = await cluster.startProxy(port);
  const peers = { advertise: `http://127.0.0.1:${proxy.port}`, listen: `127.0.0.1:${port}` };
  [a, b] = await Promise.all([start({ peers }), start({ store: cluster.storeBehind(database) })]);
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
  for (const each of [proxy, database]) {
    each.refuses = false;
    each.stalls = false;
  }
});

function start(options: Partial<TestNodeOptions> = {}): Promise<TestNode> {
  return cluster.startNode({ notify: `${receiver.url}/hook`, ...options });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface OpenedStream {
  readonly lines: string[];
  readonly hasEnded: boolean;
  readonly status: number;
  close(): void;
}

/** What a stream says, which is opened once and never again. */
async function open({ client }: { client: DaemonClient }, path: string): Promise<OpenedStream> {
  const reading = new AbortController();
  const response = await client.request("GET", path, undefined, reading.signal);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const opened = {
    lines: [] as string[],
    hasEnded: false,
    status: response.status,
    close: () => reading.abort(),
  };
  streams.push(opened);
  void (async () => {
    try {
      for await (const line of dataLines(response)) opened.lines.push(line);
    } catch {}
    opened.hasEnded = true;
  })();
  return opened;
}

function openEvents(node: { client: DaemonClient }, session: string): Promise<OpenedStream> {
  return open(node, `/v1/sessions/${session}/events/sse`);
}

function eventsOf({ lines }: OpenedStream): SessionEvent[] {
  return lines.map((line) => JSON.parse(line) as SessionEvent);
}

/** Between two attempts to connect, reads are refused. */
function untilReading({ client }: TestNode): Promise<void> {
  return eventually("it reads the database", async () => (await client.request("GET", "/v1/sessions")).ok);
}

/** The stream has the whole log, each event once and in order, and is open still. */
async function expectWhole(stream: OpenedStream, node: TestNode, session: string): Promise<SessionEvent[]> {
  await eventually("the reader has all", async () => {
    return stream.lines.length >= (await findListed(node, session))!.head;
  });
  const events = eventsOf(stream);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(checkLog(events)).toEqual([]);
  expect(stream.hasEnded).toBe(false);
  return events;
}

function withToken({ client }: TestNode, token: string): { client: DaemonClient } {
  return { client: new DaemonClient({ url: client.url, token }) };
}

function cut(): void {
  proxy.refuses = true;
  proxy.cut();
}

const endsIn = (stream: OpenedStream) => eventsOf(stream).filter(({ type }) => type === "turn.ended").length;

describe("events", () => {
  it("while the way to the owner is cut, readers follow the store, and the owner again afterwards", async () => {
    await createSession(a, "cut");
    const stream = await openEvents(b, "cut");
    await a.client.prompt("cut", "scenario:text one");
    await eventually("the first turn", () => endsIn(stream) === 1);
    cut();
    await a.client.prompt("cut", "scenario:text two");
    await eventually("the second turn, from the store", () => endsIn(stream) === 2);
    proxy.refuses = false;
    await a.client.prompt("cut", "scenario:text three");
    await eventually("the third turn", () => endsIn(stream) === 3);
    await expectWhole(stream, b, "cut");
  });

  it("a peer that takes nothing and says nothing is forgotten, and its readers read the store", async () => {
    await createSession(a, "slow");
    const stream = await openEvents(b, "slow");
    await a.client.prompt("slow", "scenario:text one");
    await eventually("the first turn", () => endsIn(stream) === 1);
    proxy.stalls = true;
    await a.client.prompt("slow", "scenario:burst:20000");
    await eventually("the second turn", () => endsIn(stream) === 2, 60_000);
    proxy.stalls = false;
    await expectWhole(stream, b, "slow");
  });

  it("a reader whose node cannot reach the database gets what the owner sends", async () => {
    await createSession(a, "away");
    const stream = await openEvents(b, "away");
    await a.client.prompt("away", "scenario:text one");
    await eventually("the first turn", () => endsIn(stream) === 1);
    database.refuses = true;
    database.cut();
    await a.client.prompt("away", "scenario:text two");
    await eventually("the second turn, from the owner", () => endsIn(stream) === 2);
    database.refuses = false;
    await a.client.prompt("away", "scenario:text three");
    await eventually("the third turn", () => endsIn(stream) === 3);
    await expectWhole(stream, a, "away");
    await untilReading(b);
  });

  it("a node that loses its sessions because it cannot reach the database serves its readers on", async () => {
    await createSession(b, "frozen");
    await b.client.prompt("frozen", "scenario:hang", "first");
    const [atA, atB] = [await openEvents(a, "frozen"), await openEvents(b, "frozen")];
    for (const stream of [atA, atB])
      await eventually("the turn is seen", () => eventsOf(stream).some(({ type }) => type === "text.delta"));
    await b.client.prompt("frozen", "scenario:text second", "second");
    database.refuses = true;
    database.cut();
    // The other one takes it over, and its stream tells the one that had it.
    for (const stream of [atA, atB]) await eventually("what waited has run", () => endsIn(stream) === 2);
    database.refuses = false;
    for (const stream of [atA, atB]) {
      const events = await expectWhole(stream, a, "frozen");
      expect(events.filter((event) => event.type === "turn.ended")).toMatchObject([
        { outcome: "interrupted", error: { code: "node_lost" } },
        { outcome: "completed" },
      ]);
    }
    await untilReading(b);
    await eventually("it lives again", async () => (await b.client.request("GET", "/v1/sessions/frozen")).ok);
  });

  it("a session that is deleted where it is ends its streams everywhere", async () => {
    await createSession(a, "gone");
    const stream = await openEvents(b, "gone");
    await eventually("it is read", () => stream.lines.length > 0);
    await a.client.request("DELETE", "/v1/sessions/gone");
    await eventually("the stream ends", () => stream.hasEnded);
  });
});

it("the feed has the changes of all nodes, and after a cut nothing stays missing", async () => {
  interface Frame {
    type: string;
    session?: string;
    status?: string;
  }
  const feed = await open(b, "/v1/feed/sse");
  const frames = () => feed.lines.map((line) => JSON.parse(line) as Frame);
  await eventually("the snapshot", () => frames()[0]?.type === "snapshot");
  await createSession(a, "one");
  await eventually("the new session", () => frames().some(({ session }) => session === "one"));
  cut();
  await createSession(a, "two");
  await eventually("another one, from the store", () => frames().some(({ session }) => session === "two"));
  await a.client.request("DELETE", "/v1/sessions/one");
  proxy.refuses = false;
  await eventually("the end of the one that was deleted", () => {
    return frames().some(({ type, session }) => type === "deleted" && session === "one");
  });
  await a.client.prompt("two", "scenario:text hello");
  await eventually("its changes", () => {
    return frames().some(({ session, status }) => session === "two" && status === "running");
  });
  expect(feed.hasEnded).toBe(false);
  expect(frames().filter(({ type }) => type === "snapshot")).toHaveLength(1);
});

describe("tokens", () => {
  it("one that is made at a node is known at all, and revoking it ends its streams at all", async () => {
    await createSession(a, "tokens");
    const made = await a.client.call<{ id: string; token: string }>("POST", "/v1/tokens", {
      name: "anna",
      role: "observer",
    });
    // At once: the other node may not even have been told.
    const stream = await openEvents(withToken(b, made.token), "tokens");
    expect(stream.status).toBe(200);
    await eventually("it is read", () => stream.lines.length > 0);
    const again = await b.client.request("POST", "/v1/tokens", { name: "ANNA", role: "observer" });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ code: "token_exists" });
    await a.client.request("DELETE", `/v1/tokens/${made.id}`);
    await eventually("the stream ends", () => stream.hasEnded);
    expect((await withToken(b, made.token).client.request("GET", "/v1/sessions")).status).toBe(401);

    // Without a link the number in the database says it.
    const other = await a.client.call<{ id: string; token: string }>("POST", "/v1/tokens", {
      name: "bert",
      role: "observer",
    });
    const second = await openEvents(withToken(b, other.token), "tokens");
    expect(second.status).toBe(200);
    cut();
    await a.client.request("DELETE", `/v1/tokens/${other.id}`);
    await eventually("the stream ends", () => second.hasEnded);
  });

  it("of many that take the same name or invitation at several nodes at once, one gets it", async () => {
    await createSession(a, "invited");
    const taken = await Promise.all(
      [a, b, a, b].map(({ client }) =>
        client.request("POST", "/v1/tokens", { name: "carl", role: "observer" }),
      ),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);

    const invite = () =>
      a.client.call<{ code: string }>("POST", "/v1/sessions/invited/invitations", { role: "observer" });
    const { code } = await invite();
    const redeem = (node: TestNode, body: object) =>
      fetch(`${node.client.url}/v1/invitations/redeem`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const redeemed = await Promise.all([a, b, a, b].map((node) => redeem(node, { code, name: "dora" })));
    expect(redeemed.map(({ status }) => status).filter((status) => status === 201)).toEqual([201]);

    // Two people of one name get two names, also at two nodes at once.
    const codes = await Promise.all([invite(), invite()]);
    const guests = await Promise.all(
      codes.map(async ({ code: own }, index) => {
        const response = await redeem([a, b][index]!, { code: own, name: "emil" });
        expect(response.status).toBe(201);
        return (await response.json()) as { name: string; token: string };
      }),
    );
    expect(guests.map(({ name }) => name).sort()).toEqual(["emil", "emil 2"]);
    for (const { token } of guests)
      for (const node of [a, b])
        expect(
          (await withToken(node, token).client.request("GET", "/v1/sessions/invited/messages")).status,
        ).toBe(200);

    // Who did it stands in one list, each entry with a number of its own, in order.
    const { entries } = await b.client.call<{ entries: { seq: number; action: string }[] }>(
      "GET",
      "/v1/audit?limit=100",
    );
    expect(entries.filter(({ action }) => action === "invitation.redeem")).toHaveLength(3);
    const seqs = entries.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => other - one));
  });
});

it("who watches is summed over nodes", async () => {
  await createSession(a, "watched");
  await openEvents(a, "watched");
  const atB = await openEvents(b, "watched");
  await watching(2);
  atB.close();
  await watching(1);
  // A reader of the feed says at any node what it looks at.
  await open(b, "/v1/feed/sse?reader=page");
  const { status } = await a.client.request("PATCH", "/v1/feed/readers/page", { watching: "watched" });
  expect(status).toBe(204);
  await watching(2);
});

/** That many streams are counted at the nodes, by default at both. */
async function watching(wanted: number, at = [a, b], session = "watched"): Promise<void> {
  for (const { client } of at)
    await eventually(`${wanted} watch`, async () => {
      const path = `/v1/sessions/${session}/presence`;
      const { viewers } = await client.call<{ viewers: { count: number }[] }>("GET", path);
      return viewers.reduce((sum, { count }) => sum + count, 0) === wanted;
    });
}

it("when a node is killed, readers elsewhere go on with the next owner, who watched by it is gone, and each notification came once", async () => {
  const c = await start();
  await createSession(a, "lost");
  const [atB, atC] = [await openEvents(b, "lost"), await openEvents(c, "lost")];
  await openEvents(a, "lost");
  await watching(3, [b, c], "lost");
  await a.client.prompt("lost", "scenario:text first", "one");
  await a.client.prompt("lost", "scenario:hang", "two");
  for (const stream of [atB, atC])
    await eventually("the second turn is seen there", () => {
      return eventsOf(stream).some((event) => event.type === "prompt.dispatched" && event.message === "two");
    });
  await a.client.prompt("lost", "scenario:text third", "three");
  a.kill("SIGKILL");
  await watching(2, [b, c], "lost");
  for (const stream of [atB, atC]) await eventually("all turns have ended there", () => endsIn(stream) === 3);
  for (const stream of [atB, atC]) {
    const events = await expectWhole(stream, c, "lost");
    expect(events.filter((event) => event.type === "turn.ended")).toMatchObject([
      { outcome: "completed" },
      { outcome: "interrupted", error: { code: "node_lost" } },
      { outcome: "completed" },
    ]);
  }
  const turns = eventsOf(atB).flatMap((event) => (event.type === "turn.ended" ? [event.turn] : []));
  const told = () =>
    receiver.contents().flatMap(({ session, turn }) => {
      return session === "lost" ? [(turn as { id: string } | undefined)?.id] : [];
    });
  await eventually("the end of the last turn is told", () => told().includes(turns.at(-1)));
  expect(told()).toEqual([...new Set(told())]);
  expect(told()).toContain(turns[0]);
});
