/** Who watches, as it is told: by the route, by the feed, and whichever client protocol a stream is of. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { feedFrameSchema } from "../../protocol/schemas/feed.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { StreamClient } from "../http-client-test-support.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";

let server: RealServer;
const clients: StreamClient[] = [];

beforeEach(async () => {
  server = await startRealServer();
  for (const id of ["a", "b"])
    await server.engine.run(
      "createSession",
      { id, agent: "mock", cwd: server.root, options: { pace: 0 } },
      TESTER,
    );
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
});

async function open(path: string, name?: string, method?: string, body?: object): Promise<StreamClient> {
  const headers = name === undefined ? undefined : { "x-interlingua-client": name };
  const client = await StreamClient.open(server.url, path, { headers, method, body });
  clients.push(client);
  return client;
}

async function viewersOf(session: string): Promise<string[]> {
  const { status, body } = await server.call("GET", `/v1/sessions/${session}/presence`);
  expect(status).toBe(200);
  return body.viewers.map(
    ({ name, role, dialect, count }: Record<string, unknown>) => `${name} ${role} ${dialect} ${count}`,
  );
}

test("streams of every protocol count, each with whose it is", async () => {
  await open("/v1/sessions/a/events/sse", "phone");
  await open("/v1/sessions/a/events/sse", "phone");
  await open("/v1/events/sse?after=a:0,b:0");
  await open("/v1/feed/sse?watching=b", "page");
  expect((await viewersOf("a")).sort()).toEqual(["owner (phone) owner v1 2", "owner owner v1 1"]);
  expect((await viewersOf("b")).sort()).toEqual(["owner (page) owner v1 1", "owner owner v1 1"]);
  const text = "scenario:hang";
  const chat = { id: "a", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }] };
  const client = await open("/api/chat", "app", "POST", chat);
  await until(async () => (await viewersOf("a")).includes("owner (app) owner chat 1"));
  client.close();
  await until(async () => (await viewersOf("a")).length === 2);
  await open("/agentsmithy/api/chat", "editor", "POST", { messages: [{ role: "user", content: text }] });
  const { sessions } = await server.store.listSessions({ limit: 10 });
  const dialog = sessions.find(({ id }) => id !== "a" && id !== "b");
  expect(await viewersOf(dialog!.id)).toEqual(["owner (editor) owner agentsmithy 1"]);
});

test("a reader of the feed looks at one session after the other", async () => {
  const look = (reader: string, watching: string | null) =>
    server.call("PATCH", `/v1/feed/readers/${reader}`, { body: { watching } });
  const client = await open("/v1/feed/sse?reader=tab-1&watching=a");
  await open("/v1/feed/sse?reader=tab-2");
  expect((await look("tab-1", "b")).status).toBe(204);
  expect((await look("tab-2", "b")).status).toBe(204);
  expect(await viewersOf("a")).toEqual([]);
  expect(await viewersOf("b")).toEqual(["owner owner v1 2"]);
  expect((await look("tab-2", null)).status).toBe(204);
  expect(await viewersOf("b")).toEqual(["owner owner v1 1"]);
  for (const [reader, session, status, code] of [
    ["tab-3", "a", 404, "not_found"],
    ["tab-1", "none", 404, "session_not_found"],
    ["tab%201", "a", 400, "invalid_request"],
    ["tab-1", "a b", 400, "invalid_request"],
  ] as const) {
    const answer = await look(reader, session);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  }
  // Who comes again before the old stream is known to be gone keeps the name.
  await open("/v1/feed/sse?reader=tab-1&watching=a");
  client.close();
  await until(async () => (await viewersOf("b")).length === 0);
  expect((await look("tab-1", "b")).status).toBe(204);
  expect(await viewersOf("b")).toEqual(["owner owner v1 1"]);
  expect(await viewersOf("a")).toEqual([]);
});

test("a token is named with its role, sees only its sessions, and speaks for no reader of another", async () => {
  const made = await server.call("POST", "/v1/tokens", {
    body: { name: "ada", role: "observer", sessions: ["a"] },
  });
  expect(made.status).toBe(201);
  const headers = { authorization: `Bearer ${made.body.token}` };
  await open("/v1/feed/sse?reader=tab&watching=b");
  await open("/v1/sessions/a/events/sse", "desk");
  const feed = await StreamClient.open(server.url, "/v1/feed/sse?reader=tab&watching=a", { headers });
  clients.push(feed);
  await feed.until("the snapshot", ({ frames }) => frames.length > 0);
  expect(await viewersOf("a")).toEqual(["owner (desk) owner v1 1", "ada observer v1 1"]);
  expect(await viewersOf("b")).toEqual(["owner owner v1 1"]);
  expect(feed.frames[0]?.data.presence.map(({ session }: { session: string }) => session)).toEqual(["a"]);
  expect((await server.call("GET", "/v1/sessions/b/presence", { headers })).status).toBe(404);
  // The same name of a reader, but each token has its own.
  const look = (watching: string | null, as?: typeof headers) =>
    server.call("PATCH", "/v1/feed/readers/tab", { body: { watching }, headers: as });
  expect((await look("b", headers)).status).toBe(404);
  expect((await look(null, headers)).status).toBe(204);
  expect(await viewersOf("a")).toEqual(["owner (desk) owner v1 1"]);
  expect(await viewersOf("b")).toEqual(["owner owner v1 1"]);
  await open("/v1/sessions/b/events/sse", "phone");
  await open("/v1/sessions/a/events/sse", "phone");
  await feed.until("who came", ({ frames }) =>
    frames.some(({ data }) => data.type === "presence" && data.total === 2),
  );
  expect(new Set(feed.frames.slice(1).map(({ data }) => data.session))).toEqual(new Set(["a"]));
  const gone = await server.call("DELETE", `/v1/tokens/${made.body.id}`);
  expect(gone.status).toBe(204);
  await feed.ended;
});

test("nobody watches who only asks, or follows the feed", async () => {
  await open("/v1/feed/sse");
  await server.call("GET", "/v1/sessions/a");
  expect(await viewersOf("a")).toEqual([]);
});

test("the feed has who watches when it begins, and tells of everybody who comes and leaves", async () => {
  const first = await open("/v1/sessions/a/events/sse", "phone");
  const feed = await open("/v1/feed/sse");
  await feed.until("the snapshot", ({ frames }) => frames.length > 0);
  expect(feed.frames[0]?.data.presence).toMatchObject([
    { session: "a", viewers: [{ name: "owner (phone)", count: 1 }], total: 1 },
  ]);
  await open("/v1/sessions/a/events/sse", "desk");
  const told = () => feed.frames.filter(({ data }) => data.type === "presence").map(({ data }) => data);
  await feed.until("the second", () => told().length === 1);
  expect(told()[0]).toMatchObject({ session: "a", total: 2 });
  first.close();
  await feed.until("the first left", () => told().length === 2);
  expect(told()[1].viewers.map(({ name }: { name: string }) => name)).toEqual(["owner (desk)"]);
  for (const { data } of feed.frames) expect(feedFrameSchema.safeParse(data).error).toBeUndefined();
});

test("a session that is deleted has nobody any more, though its stream of several goes on", async () => {
  await open("/v1/events/sse?after=a:0,b:0");
  await server.engine.run("deleteSession", { session: "a" }, TESTER);
  const feed = await open("/v1/feed/sse");
  await feed.until("the snapshot", ({ frames }) => frames.length > 0);
  expect(feed.frames[0]?.data.presence.map(({ session }: { session: string }) => session)).toEqual(["b"]);
});

test("an unknown session is refused, by the route and by the feed", async () => {
  for (const path of ["/v1/sessions/none/presence", "/v1/feed/sse?watching=none"]) {
    const { status, body } = await server.call("GET", path);
    expect([status, body.code]).toEqual([404, "session_not_found"]);
  }
  const { status, body } = await server.call("GET", "/v1/feed/sse?watching=a%20b");
  expect([status, body.code, body.errors[0].path]).toEqual([400, "invalid_request", "watching"]);
});

test("whoever prompts and follows watches as long as the turn runs", async () => {
  const client = await open("/v1/sessions/a/messages/stream", "cli", "POST", { text: "scenario:hang" });
  expect(await viewersOf("a")).toEqual(["owner (cli) owner v1 1"]);
  await server.call("POST", "/v1/sessions/a/interrupt", { body: {} });
  await client.ended;
  expect(await viewersOf("a")).toEqual([]);
});
