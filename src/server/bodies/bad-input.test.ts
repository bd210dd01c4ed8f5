/** Every kind of bad input with its exact status and code. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../protocol/route-table.ts";
import { expectProblem } from "../problem-test-support.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({
    limits: { maxBodyBytes: 10_000, requestBurst: 1_000_000 },
  });
  await server.call("POST", "/v1/sessions/known", { body: { agent: "mock" } });
});

afterAll(() => server.close());

describe("address", () => {
  test.each([
    ["GET", "/v1/sessions/unknown"],
    ["PATCH", "/v1/sessions/unknown"],
    ["DELETE", "/v1/sessions/unknown"],
    ["POST", "/v1/sessions/unknown/messages"],
    ["POST", "/v1/sessions/unknown/messages/stream"],
    ["GET", "/v1/sessions/unknown/messages"],
    ["GET", "/v1/sessions/unknown/messages/m"],
    ["GET", "/v1/sessions/unknown/events"],
    ["GET", "/v1/sessions/unknown/events/sse"],
    ["GET", "/v1/events/sse?after=known:0,unknown:0"],
    ["GET", "/v1/sessions/unknown/raw"],
    ["POST", "/v1/sessions/unknown/interrupt"],
    ["POST", "/v1/sessions/unknown/rewind"],
    ["POST", "/v1/sessions/unknown/asks/a/reply"],
    ["GET", "/v1/asks?session=unknown"],
    ["GET", "/v1/sessions/unknown/queue"],
    ["PATCH", "/v1/sessions/unknown/queue/m"],
    ["DELETE", "/v1/sessions/unknown/queue/m"],
  ])("%s %s: an unknown session is 404", async (method, path) => {
    const bodies: Record<string, object> = {
      rewind: { before: "m" },
      reply: { reply: "once" },
      unknown: { title: "t" },
      interrupt: {},
    };
    const last = path.split("/").at(-1) ?? "";
    const takesBody = method === "POST" || method === "PATCH";
    const options = takesBody ? { body: bodies[last] ?? { text: "hello" } } : {};
    expectProblem(await server.call(method, path, options), 404, "session_not_found");
  });

  test("an unknown message, ask or route is 404", async () => {
    expectProblem(await server.call("GET", "/v1/sessions/known/messages/m"), 404, "message_not_found");
    expectProblem(await server.call("GET", "/v1/sessions/known/messages?before=m"), 404, "message_not_found");
    const reply = { body: { reply: "once" } };
    expectProblem(await server.call("POST", "/v1/sessions/known/asks/a/reply", reply), 404, "ask_not_found");
    for (const path of ["/v1/nothing", "/v1/sessions/known/nothing", "/api/nothing"])
      expectProblem(await server.call("GET", path), 404, "not_found");
  });

  test("a method no route has is 405 and names those there are", async () => {
    const answer = await server.call("PUT", "/v1/sessions/known");
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers.allow?.split(", ").sort()).toEqual(["DELETE", "GET", "PATCH", "POST"]);
  });

  test.each(["a%20b", "%ff", "a".repeat(129), "a:b"])("the session id %s is 400", async (id) => {
    const answer = await server.call("POST", `/v1/sessions/${id}`, { body: { agent: "mock" } });
    expectProblem(answer, 400, "invalid_request");
    expect(answer.body.errors[0].path).toBe("id");
  });
});

describe("body", () => {
  const post = (body: unknown, headers?: Record<string, string | undefined>) =>
    server.call("POST", "/v1/sessions", { body, headers });

  test("nested too deeply is 400", async () => {
    const metadata = `${'{"a":'.repeat(500)}1${"}".repeat(500)}`;
    expectProblem(await post(`{"agent":"mock","metadata":${metadata}}`), 400, "invalid_request");
  });

  test.each(["{", "", '{"agent":"mock"', "nonsense", "[1]", "null", '"text"'])("%j is 400", async (body) => {
    expectProblem(await post(body), 400, "invalid_request");
  });

  test.each([
    [{}, "agent"],
    [{ agent: 5 }, "agent"],
    [{ agent: "mock", id: "a b" }, "id"],
    [{ agent: "mock", id: ".." }, "id"],
    [{ agent: "mock", title: {} }, "title"],
    [{ agent: "mock", promt: "typo" }, "promt"],
    [{ agent: "mock", env: { GOOD: 1 } }, "env.GOOD"],
    [{ agent: "mock", env: { "not a name": "x" } }, "env.not a name"],
    [{ agent: "mock", env: { GOOD: "a\0b" } }, "env.GOOD"],
    [{ agent: "mock", cwd: "relative" }, "cwd"],
    [{ agent: "mock", cwd: "/a\0b" }, "cwd"],
  ])("%j is 400 and names %s", async (body, path) => {
    const answer = await post(body);
    expectProblem(answer, 400, "invalid_request");
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test.each([
    [{}, "text"],
    [{ text: "" }, "text"],
    [{ text: "a", parts: [{ type: "text", text: "b" }] }, "text"],
    [{ parts: [] }, "parts"],
    [{ parts: [{ type: "image" }] }, "parts.0.type"],
    [
      {
        parts: [
          { type: "text", text: "a" },
          { type: "file", mediaType: "image/png" },
        ],
      },
      "parts.1.url",
    ],
    [{ parts: [{ type: "file", url: "https://a.example/b", mediaType: "image/png" }] }, "parts.0.url"],
    [{ text: "a", whenBusy: "wait" }, "whenBusy"],
    [{ text: "a", id: "a/b" }, "id"],
  ])("prompt %j is 400 and names %s", async (body, path) => {
    const answer = await server.call("POST", "/v1/sessions/known/messages", { body });
    expectProblem(answer, 400, "invalid_request");
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test("another content type is 415, none is taken for JSON", async () => {
    const body = { agent: "mock", id: "typeless" };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      expectProblem(await post(body, { "content-type": type }), 415, "unsupported_media_type");
    expect((await post(body, { "content-type": undefined })).status).toBe(201);
    expect((await post(body, { "content-type": "application/json; charset=utf-8" })).status).toBe(200);
  });

  test("too large is 413, whether its length is told or not", async () => {
    const body = { agent: "mock", title: "t".repeat(20_000) };
    expectProblem(await post(body), 413, "body_too_large");
    const chunked = { "content-length": undefined, "transfer-encoding": "chunked" };
    expectProblem(await post(body, chunked), 413, "body_too_large");
  });

  test("too large is answered without waiting for it", async () => {
    const socket = connect(server.port, "127.0.0.1");
    const head = `POST /v1/sessions HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer test-token\r\n`;
    // Neither the body nor, to the one that asks first, the word to go on is ever sent.
    socket.write(`${head}expect: 100-continue\r\ncontent-length: 100000000\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 413/);
    expect(text).toContain("connection: close");
  });
});

describe("query", () => {
  test.each([
    ["/v1/sessions/known/events?after=-1", "after"],
    ["/v1/sessions/known/events?after=abc", "after"],
    ["/v1/sessions/known/events?after=1.5", "after"],
    ["/v1/sessions/known/events?after=0x1", "after"],
    ["/v1/sessions/known/events?after=", "after"],
    ["/v1/sessions/known/events?limit=0", "limit"],
    ["/v1/sessions/known/events?limit=1001", "limit"],
    ["/v1/sessions/known/events?include=everything", "include"],
    ["/v1/sessions/known/messages/m?include=chunks,everything", "include"],
    ["/v1/sessions/known/events?after=1&offset=1", "offset"],
    ["/v1/sessions/known/events/sse?after=1&offset=1", "offset"],
    ["/v1/sessions/known/events?after=0&after=1", "after"],
    ["/v1/sessions/known/events?__proto__=1", "__proto__"],
    ["/v1/events/sse?offset=known:0", "offset"],
    ["/v1/sessions?status=odd", "status"],
    ["/v1/usage?from=yesterday", "from"],
    ["/v1/events/sse", "after"],
    ["/v1/events/sse?after=known", "after"],
    ["/v1/events/sse?after=known:1,known:2", "after"],
    [`/v1/events/sse?after=${Array.from({ length: 51 }, (_, n) => `s${n}:0`)}`, "after"],
  ])("%s is 400 and names %s", async (path, field) => {
    const answer = await server.call("GET", path);
    expectProblem(answer, 400, "invalid_request");
    expect(answer.body.errors[0].path).toBe(field);
  });

  test.each([
    "/v1/sessions/known/events?after=2",
    "/v1/sessions/known/events?offset=2",
    "/v1/sessions/known/events/sse?after=2",
    "/v1/sessions/known/events/sse?offset=2",
    "/v1/events/sse?after=known:2",
    "/v1/sessions/known/raw?after=1",
  ])("%s: a cursor beyond the end is 400", async (path) => {
    expectProblem(await server.call("GET", path), 400, "cursor_beyond_end");
  });

  const ours = Object.values(routes).filter(({ path }) => path.startsWith("/v1/"));
  test.each(ours.map(({ method, path }): [string, string] => [method.toUpperCase(), path]))(
    "%s %s: a name nobody knows is 400 and not dropped",
    async (method, path) => {
      const address = path.replace("{agent}", "mock").replaceAll(/\{\w+\}/g, "known");
      const takesBody = method === "POST" || method === "PATCH";
      const options = takesBody ? { body: { agent: "mock", text: "hello" } } : {};
      const answer = await server.call(method, `${address}?ofset=1`, options);
      expectProblem(answer, 400, "invalid_request");
      const { message } = answer.body.errors.find((error: { path: string }) => error.path === "ofset");
      expect(message).toMatch(/^is no query name here: (use \w|leave it out)/);
    },
  );

  test("front ends may add to the addresses of chats what they like", async () => {
    expect((await server.call("GET", "/api/chat/known/stream?ofset=1")).status).toBe(204);
  });

  test("a Last-Event-ID that is none is 400", async () => {
    const headers = { "last-event-id": "soon" };
    expectProblem(
      await server.call("GET", "/v1/sessions/known/events/sse", { headers }),
      400,
      "invalid_request",
    );
  });

  test("a list cursor that is none is 400", async () => {
    expectProblem(await server.call("GET", "/v1/sessions?cursor=nonsense"), 400, "invalid_request");
  });
});

describe("working directory", () => {
  const create = (cwd: string) => server.call("POST", "/v1/sessions", { body: { agent: "mock", cwd } });

  test("outside the roots is 403, whether it exists or not, also by a link", async () => {
    symlinkSync("/", join(server.root, "way-out"));
    const outside = ["/", "/etc", "/nowhere", join(server.root, ".."), join(server.root, "way-out/etc")];
    for (const cwd of [...outside, `${server.root}-beside`, join(server.root, "none/../../x")])
      expectProblem(await create(cwd), 403, "outside_roots");
  });

  test("what is no directory is 422", async () => {
    writeFileSync(join(server.root, "file"), "");
    for (const name of ["file", "missing", "file/below"])
      expectProblem(await create(join(server.root, name)), 422, "not_a_directory");
  });

  test("inside the roots is taken, with links resolved", async () => {
    mkdirSync(join(server.root, "inner"));
    symlinkSync(join(server.root, "inner"), join(server.root, "link"));
    const answer = await create(join(server.root, "link"));
    expect(answer.status).toBe(201);
    expect(answer.body.cwd).toBe(join(server.root, "inner"));
  });

  test("a prompt's file outside the roots is 403", async () => {
    const parts = [{ type: "file", url: "file:///etc/passwd", mediaType: "text/plain" }];
    const answer = await server.call("POST", "/v1/sessions/known/messages", { body: { parts } });
    expectProblem(answer, 403, "outside_roots");
  });

  test("a prompt's file that is a pipe, where an agent would wait for ever, is 400", async () => {
    const pipe = join(server.root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const parts = [{ type: "file", url: pathToFileURL(pipe).href, mediaType: "text/plain" }];
    const answer = await server.call("POST", "/v1/sessions/known/messages", { body: { parts } });
    expectProblem(answer, 400, "invalid_request");
    expect(answer.body.detail).toContain("not a regular file");
    expectProblem(await create(pipe), 422, "not_a_directory");
  });
});

describe("what the agent cannot do", () => {
  test("an unknown agent is 404 with the list", async () => {
    const answer = await server.call("POST", "/v1/sessions", { body: { agent: "nobody" } });
    expectProblem(answer, 404, "agent_not_found");
    expect(answer.body.agents).toContain("mock");
    expectProblem(await server.call("GET", "/v1/agents/nobody"), 404, "agent_not_found");
  });

  test.each([{ mode: "sideways" }, { permissionMode: "yolo" }])("%j is 422", async (mode) => {
    const body = { agent: "mock", ...mode };
    expectProblem(await server.call("POST", "/v1/sessions", { body }), 422, "unsupported");
    expectProblem(await server.call("PATCH", "/v1/sessions/known", { body: mode }), 422, "unsupported");
  });

  test("the same id with another body is 409, with the same body 200", async () => {
    const body = { agent: "mock", id: "twice", title: "one" };
    expect((await server.call("POST", "/v1/sessions", { body })).status).toBe(201);
    expect((await server.call("POST", "/v1/sessions/twice", { body })).status).toBe(200);
    const other = { ...body, title: "two" };
    expectProblem(await server.call("POST", "/v1/sessions", { body: other }), 409, "session_exists");
    expectProblem(await server.call("POST", "/v1/sessions/thrice", { body }), 400, "invalid_request");
  });
});

describe("bytes that are no HTTP", () => {
  test.each([
    ["GARBAGE\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, 431],
  ])("are answered and the connection closed", async (bytes, status) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(bytes);
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain("application/problem+json");
  });
});
