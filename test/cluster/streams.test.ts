/** Readers at nodes that do not have the session, while nodes die and the links between them break. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../src/cli/test-support.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";
import { startPostgres, type TestPostgres } from "../postgres/start-postgres.ts";
import { type FlakyProxy, startFlakyProxy } from "./flaky-proxy.ts";
import { startNode, type TestNode } from "./start-node.ts";

let postgres: TestPostgres;
let store: string;
let root: string;
const nodes: TestNode[] = [];
const proxies: FlakyProxy[] = [];
const directories: string[] = [];
const streams: OpenedStream[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  store = await postgres.createDatabase();
});

afterAll(() => postgres[Symbol.asyncDispose]());

beforeEach(async () => {
  await postgres.empty(store);
  root = temporary();
});

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  for (const node of nodes) node.kill("SIGKILL");
  await Promise.all(nodes.splice(0).map(({ ended }) => ended));
  for (const proxy of proxies.splice(0)) await proxy[Symbol.asyncDispose]();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-streams-"));
  directories.push(directory);
  return directory;
}

async function start(peers?: { advertise: string; listen: string }): Promise<TestNode> {
  const node = await startNode({ data: temporary(), root, store, peers });
  nodes.push(node);
  return node;
}

/** A node that others reach only by way of a proxy. */
async function startBehindProxy(): Promise<{ node: TestNode; proxy: FlakyProxy }> {
  const port = await freePort();
  const proxy = await startFlakyProxy(port);
  proxies.push(proxy);
  const node = await start({
    advertise: `http://127.0.0.1:${proxy.port}`,
    listen: `127.0.0.1:${port}`,
  });
  return { node, proxy };
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

async function create({ client }: TestNode, id: string): Promise<void> {
  await client.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
}

async function headAt({ client }: TestNode, session: string): Promise<number> {
  const { sessions } = await client.call<{ sessions: { id: string; head: number }[] }>("GET", "/v1/sessions");
  return sessions.find(({ id }) => id === session)!.head;
}

/** The stream has the whole log, each event once and in order, and is open still. */
async function expectWhole(stream: OpenedStream, node: TestNode, session: string): Promise<SessionEvent[]> {
  await eventually("the reader has all", async () => stream.lines.length >= (await headAt(node, session)));
  const events = eventsOf(stream);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(checkLog(events)).toEqual([]);
  expect(stream.hasEnded).toBe(false);
  return events;
}

function withToken({ client }: TestNode, token: string): { client: DaemonClient } {
  return { client: new DaemonClient({ url: client.url, token }) };
}

describe("events", () => {
  it("a reader at another node sees what the owner commits, and goes on with the next owner when it is killed", async () => {
    const [a, b, c] = await Promise.all([start(), start(), start()]);
    await create(a, "s");
    const [atB, atC] = await Promise.all([openEvents(b, "s"), openEvents(c, "s")]);
    await a.client.prompt("s", "scenario:hang", "first");
    for (const stream of [atB, atC])
      await eventually("the turn is seen there", () =>
        eventsOf(stream).some(({ type }) => type === "text.delta"),
      );
    await a.client.prompt("s", "scenario:text and then", "second");
    a.kill("SIGKILL");
    for (const stream of [atB, atC])
      await eventually("the second turn is seen there", () => {
        return eventsOf(stream).filter(({ type }) => type === "turn.ended").length === 2;
      });
    for (const [stream, node] of [
      [atB, b],
      [atC, c],
    ] as const) {
      const events = await expectWhole(stream, node, "s");
      const ends = events.filter((event) => event.type === "turn.ended");
      expect(ends).toMatchObject([
        { outcome: "interrupted", error: { code: "node_lost" } },
        { outcome: "completed" },
      ]);
    }
  });

  it("while the way to the owner is cut, readers follow the store, and the owner again afterwards", async () => {
    const { node: a, proxy } = await startBehindProxy();
    const b = await start();
    await create(a, "s");
    const stream = await openEvents(b, "s");
    await a.client.prompt("s", "scenario:text one");
    await eventually("the first turn", () => eventsOf(stream).some(({ type }) => type === "turn.ended"));
    proxy.refuses = true;
    proxy.cut();
    await a.client.prompt("s", "scenario:text two");
    const ends = () => eventsOf(stream).filter(({ type }) => type === "turn.ended").length;
    await eventually("the second turn, from the store", () => ends() === 2);
    proxy.refuses = false;
    await a.client.prompt("s", "scenario:text three");
    await eventually("the third turn", () => ends() === 3);
    await expectWhole(stream, b, "s");
  });

  it("a peer that takes nothing is forgotten, and its readers read the store", async () => {
    const { node: a, proxy } = await startBehindProxy();
    const b = await start();
    await create(a, "s");
    const stream = await openEvents(b, "s");
    await a.client.prompt("s", "scenario:text one");
    await eventually("the first turn", () => eventsOf(stream).some(({ type }) => type === "turn.ended"));
    proxy.stalls = true;
    await a.client.prompt("s", "scenario:burst:20000");
    await eventually(
      "the second turn",
      () => eventsOf(stream).filter(({ type }) => type === "turn.ended").length === 2,
      60_000,
    );
    proxy.stalls = false;
    await expectWhole(stream, b, "s");
  });

  it("a session that is deleted where it is ends its streams everywhere", async () => {
    const [a, b] = await Promise.all([start(), start()]);
    await create(a, "s");
    const stream = await openEvents(b, "s");
    await eventually("it is read", () => stream.lines.length > 0);
    await a.client.request("DELETE", "/v1/sessions/s");
    await eventually("the stream ends", () => stream.hasEnded);
  });
});

describe("the feed", () => {
  interface Frame {
    type: string;
    session?: string;
    status?: string;
    sessions?: { session: string }[];
  }
  const framesOf = ({ lines }: OpenedStream) => lines.map((line) => JSON.parse(line) as Frame);

  it("has the changes of all nodes, and after a cut nothing stays missing", async () => {
    const { node: a, proxy } = await startBehindProxy();
    const b = await start();
    const feed = await open(b, "/v1/feed/sse");
    await eventually("the snapshot", () => framesOf(feed)[0]?.type === "snapshot");
    await create(a, "s");
    await eventually("the new session", () => framesOf(feed).some(({ session }) => session === "s"));
    proxy.refuses = true;
    proxy.cut();
    await create(a, "t");
    await eventually("another one, from the store", () =>
      framesOf(feed).some(({ session }) => session === "t"),
    );
    await a.client.request("DELETE", "/v1/sessions/s");
    proxy.refuses = false;
    await eventually("a snapshot without the one that was deleted", () => {
      const last = framesOf(feed).findLast(({ type }) => type === "snapshot");
      const names = last?.sessions?.map(({ session }) => session);
      return names?.includes("t") === true && !names.includes("s");
    });
    await a.client.prompt("t", "scenario:text hello");
    await eventually("its changes", () =>
      framesOf(feed).some(({ session, status }) => session === "t" && status === "running"),
    );
    expect(feed.hasEnded).toBe(false);
  });
});

describe("tokens", () => {
  it("one that is made at a node is known at all, and revoking it ends its streams at all", async () => {
    const { node: a, proxy } = await startBehindProxy();
    const b = await start();
    await create(a, "s");
    const made = await a.client.call<{ id: string; token: string }>("POST", "/v1/tokens", {
      name: "anna",
      role: "observer",
    });
    // At once: the other node may not even have been told.
    const stream = await openEvents(withToken(b, made.token), "s");
    expect(stream.status).toBe(200);
    await eventually("it is read", () => stream.lines.length > 0);
    const again = await b.client.request("POST", "/v1/tokens", { name: "ANNA", role: "observer" });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ code: "token_exists" });
    await a.client.request("DELETE", `/v1/tokens/${made.id}`);
    await eventually("the stream ends", () => stream.hasEnded);
    expect((await withToken(b, made.token).client.request("GET", "/v1/sessions")).status).toBe(401);

    // Without a link the number in the database says it.
    const other = await b.client.call<{ id: string; token: string }>("POST", "/v1/tokens", {
      name: "bert",
      role: "observer",
    });
    const second = await openEvents(withToken(a, other.token), "s");
    expect(second.status).toBe(200);
    proxy.refuses = true;
    proxy.cut();
    await b.client.request("DELETE", `/v1/tokens/${other.id}`);
    await eventually("the stream ends", () => second.hasEnded);
  });

  it("of many that take the same name or invitation at several nodes at once, one gets it", async () => {
    const [a, b] = await Promise.all([start(), start()]);
    await create(a, "s");
    const taken = await Promise.all(
      [a, b, a, b].map(({ client }) =>
        client.request("POST", "/v1/tokens", { name: "carl", role: "observer" }),
      ),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);

    const invite = () =>
      a.client.call<{ code: string }>("POST", "/v1/sessions/s/invitations", { role: "observer" });
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
        expect((await withToken(node, token).client.request("GET", "/v1/sessions/s/messages")).status).toBe(
          200,
        );

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

describe("who watches", () => {
  it("is summed over nodes, and ends with a node that dies", async () => {
    const [a, b] = await Promise.all([start(), start()]);
    await create(a, "s");
    const watching = async (node: TestNode) => {
      const { viewers } = await node.client.call<{ viewers: { count: number }[] }>(
        "GET",
        "/v1/sessions/s/presence",
      );
      return viewers.reduce((sum, { count }) => sum + count, 0);
    };
    await openEvents(a, "s");
    const atB = await openEvents(b, "s");
    for (const node of [a, b]) await eventually("both are counted", async () => (await watching(node)) === 2);
    atB.close();
    for (const node of [a, b]) await eventually("one is left", async () => (await watching(node)) === 1);
    // A reader of the feed says at any node what it looks at.
    await open(b, "/v1/feed/sse?reader=page");
    const { status } = await a.client.request("PATCH", "/v1/feed/readers/page", { watching: "s" });
    expect(status).toBe(204);
    for (const node of [a, b]) await eventually("it is counted", async () => (await watching(node)) === 2);
    b.kill("SIGKILL");
    await eventually("it is gone", async () => (await watching(a)) === 1);
  });
});
