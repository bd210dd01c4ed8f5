import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("are made, read, changed, listed, closed and deleted", async () => {
  const id = await v1.createSession({ title: "A first try", metadata: { color: "green" } });
  const unnamed = await v1.call("POST", "/v1/sessions", { body: { agent: "mock" } });
  expect(unnamed.headers.location).toBe(`/v1/sessions/${unnamed.body.id}`);
  expect((await v1.call("GET", `/v1/sessions/${id}`)).body).toMatchObject({
    id,
    agent: "mock",
    cwd: v1.server.root,
    title: "A first try",
    status: "idle",
    metadata: { color: "green" },
    attached: false,
  });
  const changed = await v1.call("PATCH", `/v1/sessions/${id}`, { body: { title: "Zebra crossing" } });
  expect(changed.body.title).toBe("Zebra crossing");
  const found = await v1.call("GET", "/v1/sessions?search=zebra&agent=mock&status=idle");
  expect(found.body.sessions.map((session: { id: string }) => session.id)).toEqual([id]);
  expect(found.body.sessions[0]).not.toHaveProperty("request");
  const closed = await v1.call("PATCH", `/v1/sessions/${id}`, { body: { status: "closed" } });
  expect(closed.body.status).toBe("closed");
  const refused = await v1.call("POST", `/v1/sessions/${id}/messages`, { body: { text: "hello" } });
  expect(refusal(refused)).toEqual([409, "session_closed"]);
  const tail = await v1.server.open(`/v1/sessions/${id}/events/sse`);
  expect((await v1.call("DELETE", `/v1/sessions/${id}`)).status).toBe(204);
  await tail.ended;
  expect((await v1.call("GET", `/v1/sessions/${id}`)).status).toBe(404);
});

test("are pinned and archived, closed ones too: lists, their view and the feed say so", async () => {
  const id = await v1.createSession({ title: "Kept" });
  const feed = await v1.server.open("/v1/feed/sse");
  await v1.call("PATCH", `/v1/sessions/${id}`, { body: { status: "closed" } });
  const { body: before } = await v1.call("GET", `/v1/sessions/${id}`);
  const changed = await v1.call("PATCH", `/v1/sessions/${id}`, { body: { pinned: true, archived: true } });
  expect(changed.body).toMatchObject({ pinned: true, archived: true, updatedAt: before.updatedAt });
  await until(() => feed.text.includes(`"pinned":true,"archived":true`));
  const ids = async (query: string) => {
    const { body } = await v1.call("GET", `/v1/sessions?limit=500&${query}`);
    return body.sessions.map((session: { id: string }) => session.id);
  };
  expect(await ids("")).not.toContain(id);
  expect(await ids("pinned=true")).not.toContain(id);
  expect(await ids("archived=true&pinned=true")).toEqual([id]);
  expect(await ids("archived=any")).toContain(id);
  const later = await v1.server.open("/v1/feed/sse");
  await until(() => later.text.includes('"type":"snapshot"'));
  expect(later.text).not.toContain(id);

  // Its stream ends although its end is not the last event, also for who knows the end and not what followed.
  for (const after of [0, before.head]) {
    const stream = await v1.server.open(`/v1/sessions/${id}/events/sse?after=${after}`);
    await stream.ended;
    expect(stream.text).toContain('"archived":true');
  }
  expect((await v1.call("GET", `/v1/sessions/${id}/events/sse?after=${changed.body.head}`)).status).toBe(204);

  const back = await v1.call("PATCH", `/v1/sessions/${id}`, { body: { archived: false, title: "Back" } });
  expect(back.body).toMatchObject({ title: "Back", pinned: true, status: "closed" });
  expect(back.body).not.toHaveProperty("archived");
  expect(refusal(await v1.call("PATCH", `/v1/sessions/${id}`, { body: { metadata: {} } }))).toEqual([
    409,
    "session_closed",
  ]);
  for (const body of [{ pinned: "yes" }, { archived: null }])
    expect(refusal(await v1.call("PATCH", `/v1/sessions/${id}`, { body }))).toEqual([400, "invalid_request"]);
  expect(refusal(await v1.call("GET", "/v1/sessions?archived=maybe"))).toEqual([400, "invalid_request"]);
});

test("attach their agent without a prompt: what it offers is known, and the first prompt finds it running", async () => {
  const id = await v1.createSession({ options: { pace: 0 } });
  const [attached, again] = await Promise.all([
    v1.call("POST", `/v1/sessions/${id}/attach`),
    v1.call("POST", `/v1/sessions/${id}/attach`, { body: {} }),
  ]);
  expect(attached).toMatchObject({
    status: 200,
    body: {
      id,
      attached: true,
      status: "idle",
      models: [{ id: "mock-large" }, {}],
      modes: [{ id: "build" }, { id: "plan" }],
      commands: [{ name: "help" }, { name: "compact" }],
      settings: [{ id: "effort" }],
    },
  });
  expect(again.body).toEqual(attached.body);
  await v1.run(id, "scenario:text");
  const types = (await v1.events(id)).map(({ type }) => type);
  expect(types.filter((type) => type === "session.attached")).toHaveLength(1);
  expect(types.indexOf("session.attached")).toBeLessThan(types.indexOf("prompt.accepted"));
});

test("refuse to attach what a prompt would fail for", async () => {
  const closed = await v1.createSession();
  await v1.call("PATCH", `/v1/sessions/${closed}`, { body: { status: "closed" } });
  expect(refusal(await v1.call("POST", `/v1/sessions/${closed}/attach`))).toEqual([409, "session_closed"]);
  expect(refusal(await v1.call("POST", "/v1/sessions/nobody/attach"))).toEqual([404, "session_not_found"]);
  const failing = await v1.createSession({ options: { pase: 0 } });
  const prompt = await v1.run(failing, "scenario:text");
  const { code, message } = prompt.frames.find(({ data }) => data.type === "turn.ended")?.data.error ?? {};
  const refused = await v1.call("POST", `/v1/sessions/${failing}/attach`);
  expect(refusal(refused)).toEqual([400, code]);
  expect(refused.body.detail).toBe(message);
});

test("are listed by directory, however its path is written", async () => {
  const { root } = v1.server;
  const [project, inner] = [join(root, "project"), join(root, "project", "inner")];
  mkdirSync(inner, { recursive: true });
  symlinkSync(project, join(root, "link"));
  const ids = [await v1.createSession({ cwd: project }), await v1.createSession({ cwd: join(root, "link") })];
  await v1.createSession({ cwd: inner });
  const listed = async (cwd: string, rest = "") => {
    const answer = await v1.call("GET", `/v1/sessions?cwd=${encodeURIComponent(cwd)}${rest}`);
    return answer.body.sessions.map(({ id }: { id: string }) => id).sort();
  };
  for (const path of [project, `${project}/`, join(root, "link"), `${inner}/..`, `${root}/./project//`])
    expect(await listed(path)).toEqual(ids);
  expect(await listed(project, "&agent=nobody")).toEqual([]);
  expect(await listed(join(root, "nowhere"))).toEqual([]);
  rmSync(project, { recursive: true });
  expect(await listed(`${project}/`)).toEqual(ids);
  expect(refusal(await v1.call("GET", "/v1/sessions?cwd=project"))).toEqual([400, "invalid_request"]);
});

test("are listed in pages", async () => {
  const ids = [await v1.createSession(), await v1.createSession(), await v1.createSession()];
  const first = (await v1.call("GET", "/v1/sessions?limit=2")).body;
  const second = (await v1.call("GET", `/v1/sessions?limit=2&cursor=${encodeURIComponent(first.cursor)}`))
    .body;
  const listed = [...first.sessions, ...second.sessions].map((session: { id: string }) => session.id);
  expect(listed.slice(0, 3)).toEqual(ids.reverse());
});
