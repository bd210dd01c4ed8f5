/** A port of its own: what is served there, and to whom. */
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { principal } from "../../core/principal.ts";
import { startDaemon } from "../../daemon.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { type Answer, type CallOptions, call, StreamClient } from "../http-client-test-support.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";
import { openDialect } from "./open-dialect-test-support.ts";
import { WorkspaceSessions } from "./workspace-sessions.ts";

let server: RealServer;
let port: number;
let url: string;
let workspace: string;

beforeAll(async () => {
  server = await startRealServer(
    // Whatever the main port allows, this one does not.
    { host: "0.0.0.0", allowedHosts: ["daemon.example"], corsOrigins: ["https://app.example"] },
    {},
    (root) => {
      workspace = join(root, "workspace");
      for (const name of ["workspace/inner", "elsewhere", "workspace-too"])
        mkdirSync(join(root, name), { recursive: true });
      return [
        {
          dialect: openDialect,
          port: 0,
          workspace,
          keepRunning: true,
          caller: "agentsmithy-port",
          maxAgentsAtWork: 8,
          explain: (error) => error,
        },
      ];
    },
  );
  port = server.ports[0]!;
  url = `http://127.0.0.1:${port}`;
});

afterAll(() => server.close());

/** Without a token. */
function ask(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  return call(url, method, path, { ...options, headers: { authorization: undefined, ...options.headers } });
}

function use(service: "engine" | "store" | "services", method: string, ...args: unknown[]): Promise<Answer> {
  return ask("POST", `/api/${service}/${method}`, { body: { args } });
}

function run(command: string, input: object): Promise<Answer> {
  return use("engine", "run", command, input, "CALLER");
}

/** A session that somebody with the token made. */
async function createSession(cwd: string, more: object = {}): Promise<string> {
  const made = await server.engine.run(
    "createSession",
    { agent: "mock", cwd, options: { pace: 0 }, ...more },
    TESTER,
  );
  return made.session.id;
}

function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.code], answer.text).toEqual([status, code]);
  expect(answer.body.detail).toMatch(/\.$/);
  expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
}

/** Even if the dialect forgets to look for the session. */
async function expectNoEvents(session: string): Promise<void> {
  const stream = await StreamClient.open(url, `/api/${session}/events`);
  await stream.ended;
  expect(stream.frames).toEqual([]);
  expect(stream.comments).toContain("there is no such session");
}

describe("what is served", () => {
  test("the dialect at the root, without a token, and it is told where it is", async () => {
    const answer = await ask("GET", "/health");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ name: "port", port, workspace, keepRunning: true, agent: "mock" });
    expect(answer.headers["x-request-id"]).toBe("open");
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test.each([
    "/",
    "/v1/sessions",
    "/v1/health",
    "/docs",
    "/metrics",
    "/open/health",
    "/api/chat",
    "/health/",
  ])("%s is nothing", async (path) => expectRefusal(await ask("GET", path), 404, "not_found"));

  test("another method is refused in the words of the dialect", async () => {
    const answer = await ask("DELETE", "/health");
    expectRefusal(answer, 405, "method_not_allowed");
    expect(answer.headers.allow).toBe("GET");
  });

  test("at both loopback addresses, and at no other although the main port is", async () => {
    expect((await call(`http://localhost:${port}`, "GET", "/health")).status).toBe(200);
    const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    const hasIPv6 = addresses.some(({ address }) => address === "::1");
    if (hasIPv6) expect((await call(`http://[::1]:${port}`, "GET", "/health")).status).toBe(200);
    for (const { address } of addresses.filter(({ internal, family }) => !internal && family === "IPv4")) {
      await expect(call(`http://${address}:${port}`, "GET", "/health")).rejects.toThrow("ECONNREFUSED");
      expect((await call(`http://${address}:${server.port}`, "GET", "/v1/health")).status).toBe(403);
    }
  });

  test("its requests are counted with all others, by the path of the dialect", async () => {
    await ask("GET", "/health");
    const { text } = await server.call("GET", "/metrics", { headers: { host: `localhost:${server.port}` } });
    expect(text).toMatch(/http_requests_total\{method="GET",route="\/open\/health",status="200"\} [1-9]/);
  });
});

test("at its path of the main port the dialect is told that it is there", async () => {
  const daemon = await startDaemon({
    ...{ data: ":memory:", port: 0, dialects: [openDialect], roots: [server.root] },
    agentsmithyKeepRunning: true,
  });
  try {
    const headers = { authorization: `Bearer ${daemon.token}` };
    const { body } = await call(daemon.url, "GET", "/open/health", { headers });
    const port = Number(new URL(daemon.url).port);
    expect(body).toEqual({ name: "main", port, keepRunning: true, agent: "mock" });
    expect(daemon.ports).toEqual([]);
  } finally {
    await daemon.close();
  }
});

test("whoever floods the port or takes all its streams locks out nobody at the main one", async () => {
  const limits = { requestBurst: 20, requestsPerSecond: 1, maxStreams: 1 };
  const small = await startRealServer({ limits }, {}, (root) => [
    {
      dialect: openDialect,
      port: 0,
      workspace: root,
      keepRunning: false,
      caller: "agentsmithy-port",
      maxAgentsAtWork: 1,
      explain: (error) => error,
    },
  ]);
  try {
    const at = `http://127.0.0.1:${small.ports[0]}`;
    const { session } = await small.engine.run("createSession", { agent: "mock", cwd: small.root }, TESTER);
    const find = { body: { args: [session.id] } };
    expect((await call(at, "POST", "/api/store/getSession", find)).body.result.id).toBe(session.id);
    const stream = await StreamClient.open(at, `/api/${session.id}/events`);
    await expect(StreamClient.open(at, `/api/${session.id}/events`)).rejects.toThrow("status 429");
    const flood = await Promise.all(Array.from({ length: 40 }, () => call(at, "GET", "/health")));
    expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(flood.find(({ status }) => status === 429)?.headers["retry-after"]).toBe("1");
    const main = await small.open(`/v1/sessions/${session.id}/events/sse`);
    await main.until("the session is told", ({ frames }) => frames.length > 0);
    stream.close();
  } finally {
    await small.close();
  }
});

test("whoever keeps all agents of the port at work leaves some to the main one", async () => {
  const small = await startRealServer({}, {}, (root) => [
    {
      ...{ dialect: openDialect, port: 0, workspace: root, keepRunning: false },
      caller: "agentsmithy-port",
      maxAgentsAtWork: 1,
      explain: (error) => error,
    },
  ]);
  try {
    const at = `http://127.0.0.1:${small.ports[0]}`;
    const make = async () =>
      (await small.engine.run("createSession", { agent: "mock", cwd: small.root }, TESTER)).session.id;
    const say = (session: string, text: string) =>
      call(at, "POST", "/api/engine/run", {
        body: {
          args: ["prompt", { session, parts: [{ type: "text", text }], whenBusy: "queue" }, "CALLER"],
        },
      });
    const [one, two] = [await make(), await make()];
    expect((await say(one, "scenario:hang")).status).toBe(200);
    // Its own may go on.
    expect((await say(one, "hello")).status).toBe(200);
    const refused = await say(two, "hello");
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_sessions"]);
    expect(refused.headers["retry-after"]).toBe("10");
    const parts = [{ type: "text" as const, text: "hello" }];
    await small.engine.run("prompt", { session: await make(), parts, whenBusy: "queue" }, TESTER);
    await small.engine.run("deleteSession", { session: one }, TESTER);
    expect((await say(two, "hello")).status).toBe(200);
  } finally {
    await small.close();
  }
});

describe("who is let in", () => {
  test.each([
    "evil.example",
    "daemon.example",
    "localhost",
    "localhost:1",
    "127.0.0.1.evil.example",
    "0.0.0.0",
  ])("the host %s is refused", async (host) =>
    expectRefusal(await ask("GET", "/health", { headers: { host } }), 403, "host_not_allowed"),
  );

  test("the host of the main port is refused", async () => {
    const headers = { host: `localhost:${server.port}` };
    expectRefusal(await ask("GET", "/health", { headers }), 403, "host_not_allowed");
  });

  test("a request without a host is refused", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.end("GET /health HTTP/1.0\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1.1 403 /);
  });

  test.each(["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])("%s with the port is taken", async (name) => {
    expect((await ask("GET", "/health", { headers: { host: `${name}:${port}` } })).status).toBe(200);
  });

  test.each(["null", "https://app.example", "http://localhost:4111", "vscode-webview://abc", ""])(
    "the origin %j is refused",
    async (origin) => {
      expectRefusal(await ask("GET", "/health", { headers: { origin } }), 403, "origin_not_allowed");
    },
  );

  test("even its own origin is refused", async () => {
    const headers = { origin: url, "sec-fetch-site": "same-origin" };
    expectRefusal(await ask("POST", "/api/engine/health", { body: {}, headers }), 403, "origin_not_allowed");
  });

  test.each(["cross-site", "same-site", "same-origin", "None", ""])(
    "sec-fetch-site %j is refused",
    async (site) => {
      const headers = { "sec-fetch-site": site };
      expectRefusal(await ask("GET", "/health", { headers }), 403, "origin_not_allowed");
    },
  );

  test("a person who types the address is let in", async () => {
    expect((await ask("GET", "/health", { headers: { "sec-fetch-site": "none" } })).status).toBe(200);
  });

  test("fetch of Node, as editors have it, is let in", async () => {
    const body = JSON.stringify({ args: [] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/engine/health`, { method: "POST", body, headers });
    expect(answer.status).toBe(200);
  });

  test("a preflight is refused and gets no permission", async () => {
    const answer = await ask("OPTIONS", "/api/engine/health", {
      headers: { "access-control-request-method": "POST" },
    });
    expectRefusal(answer, 405, "method_not_allowed");
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/ld+json",
    "text/json",
    undefined,
  ])("a body of the type %s is refused", async (type) => {
    const answer = await ask("POST", "/api/engine/health", {
      body: '{"args":[]}',
      headers: { "content-type": type },
    });
    expectRefusal(answer, 415, "unsupported_media_type");
  });

  test("so is an empty form, and a body of unknown length without a type", async () => {
    const type = "application/x-www-form-urlencoded";
    const form = await ask("POST", "/api/engine/health", { headers: { "content-type": type } });
    expectRefusal(form, 415, "unsupported_media_type");
    const headers = {
      "content-type": undefined,
      "content-length": undefined,
      "transfer-encoding": "chunked",
    };
    const chunked = await ask("POST", "/api/engine/health", { body: '{"args":[]}', headers });
    expectRefusal(chunked, 415, "unsupported_media_type");
  });

  test.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])(
    "a body of the type %s is taken",
    async (type) => {
      const headers = { "content-type": type };
      const answer = await ask("POST", "/api/engine/health", { body: { args: [] }, headers });
      expect(answer.body.result).toEqual({ ok: true });
    },
  );
});

describe("which sessions there are", () => {
  test("those of the workspace, also below it, and no others", async () => {
    const own = await createSession(workspace);
    const inner = await createSession(join(workspace, "inner"));
    const others = [
      await createSession(join(server.root, "elsewhere")),
      await createSession(join(server.root, "workspace-too")),
      await createSession(server.root),
    ];
    const listed = (await use("store", "listSessions", { limit: 100 })).body.result.sessions as {
      id: string;
    }[];
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([own, inner]));
    expect(listed.filter(({ id }) => others.includes(id))).toEqual([]);
    expect((await run("getSession", { session: inner })).body.result.id).toBe(inner);
    for (const other of others) {
      expect((await use("store", "getSession", other)).body.result).toBeNull();
      for (const command of ["getSession", "attachSession", "deleteSession", "listQueue", "listCheckpoints"])
        expectRefusal(await run(command, { session: other }), 404, "session_not_found");
      expectRefusal(await run("listAsks", { session: other }), 404, "session_not_found");
      const prompt = { parts: [{ type: "text", text: "hello" }], whenBusy: "queue" };
      expectRefusal(await run("prompt", { session: other, ...prompt }), 404, "session_not_found");
      expectRefusal(await run("interrupt", { session: other }), 404, "session_not_found");
      expectRefusal(await run("updateSession", { session: other, title: "x" }), 404, "session_not_found");
      expectRefusal(await run("restore", { session: other, checkpoint: "x" }), 404, "session_not_found");
      expectRefusal(await use("services", "checkPrompt", [], other), 404, "session_not_found");
      await expectNoEvents(other);
      expect((await server.engine.run("getSession", { session: other }, TESTER)).id).toBe(other);
    }
  });

  test("one whose directory became a link to somewhere else is not there any more", async () => {
    const directory = join(workspace, "swapped");
    mkdirSync(directory);
    const session = await createSession(directory);
    expect((await run("getSession", { session })).status).toBe(200);
    renameSync(directory, `${directory}-away`);
    symlinkSync(join(server.root, "elsewhere"), directory);
    expectRefusal(await run("getSession", { session }), 404, "session_not_found");
    await expectNoEvents(session);
    const { sessions } = (await use("store", "listSessions", { limit: 100 })).body.result;
    expect(sessions.map(({ id }: { id: string }) => id)).not.toContain(session);
  });

  test("one that asks nobody any more can still be stopped by whoever began its turn", async () => {
    const session = await createSession(workspace);
    const prompt = { parts: [{ type: "text", text: "scenario:hang" }], whenBusy: "queue" };
    expect((await run("prompt", { session, ...prompt })).status).toBe(200);
    await until(
      async () => (await server.engine.run("getSession", { session }, TESTER)).status === "running",
    );
    await server.engine.run("updateSession", { session, permissionMode: "bypass" }, TESTER);
    expectRefusal(await run("getSession", { session }), 404, "session_not_found");
    expect((await run("interrupt", { session })).body.result).toEqual({ interrupted: true });
    await until(async () => (await server.engine.run("getSession", { session }, TESTER)).status === "idle");
  });

  test("a stream that is opened while the session is looked for again is not told that there is none", async () => {
    const session = await createSession(workspace);
    const sessions = new WorkspaceSessions(server.store, server.engine, workspace);
    await sessions.require(session);
    const looking = sessions.require(session);
    const seen: boolean[] = [];
    let isFound = false;
    void looking.then(() => {
      isFound = true;
    });
    while (!isFound) {
      seen.push(sessions.wasFound(session));
      await setImmediate();
    }
    expect(seen).not.toContain(false);
  });

  test("a new one works in the workspace, and nowhere else", async () => {
    expect((await use("services", "resolveDirectory")).body.result).toBe(workspace);
    for (const path of [server.root, join(workspace, ".."), `${workspace}/../elsewhere`, "/"])
      expectRefusal(await use("services", "resolveDirectory", path), 403, "outside_roots");
    symlinkSync(join(server.root, "elsewhere"), join(workspace, "link"));
    for (const cwd of [server.root, join(workspace, "link"), `${workspace}-too`])
      expectRefusal(await run("createSession", { agent: "mock", cwd }), 403, "outside_roots");
  });

  test("files of prompts lie in the workspace", async () => {
    const session = await createSession(workspace);
    const file = (path: string) => [{ type: "file", url: `file://${path}`, mediaType: "text/plain" }];
    expect((await use("services", "checkPrompt", file(`${workspace}/a.txt`), session)).status).toBe(200);
    for (const path of ["/etc/passwd", `${server.root}/elsewhere/a.txt`])
      expectRefusal(await use("services", "checkPrompt", file(path), session), 403, "outside_roots");
  });
});

describe("what may be done", () => {
  test("a session is made, prompted, followed, stopped and deleted", async () => {
    const made = await run("createSession", { agent: "mock", cwd: workspace });
    const { id, permissionMode } = made.body.result.session;
    // The agent's own settings could say that it asks nobody.
    expect(permissionMode).toBe("default");
    const prompt = { parts: [{ type: "text", text: "scenario:hang" }], whenBusy: "queue" };
    expect((await run("prompt", { session: id, ...prompt })).body.result.state).toBe("started");
    const stream = await StreamClient.open(url, `/api/${id}/events`);
    await stream.until("the turn began", ({ frames }) => frames.some(({ data }) => data === "turn.started"));
    const stopped = await run("interrupt", { session: id });
    expect(stopped.body).toEqual({ result: { interrupted: true }, caller: "agentsmithy-port" });
    await stream.ended;
    const { events } = await server.store.readEvents(id, 0, 1000);
    const stop = events.map(({ json }) => JSON.parse(json)).find(({ type }) => type === "turn.stopping");
    expect(stop.by).toBe("agentsmithy-port");
    expect((await run("deleteSession", { session: id })).status).toBe(200);
    expectRefusal(await run("getSession", { session: id }), 404, "session_not_found");
  });

  test("a name of the client's own does not make it the owner", async () => {
    const answer = await ask("POST", "/api/engine/health", {
      body: { args: [] },
      headers: { "x-interlingua-client": "phone", authorization: "Bearer test-token" },
    });
    expect(answer.body.caller).toBe("agentsmithy-port");
  });

  test("a permission and a plan cannot be answered, a question can", async () => {
    const session = await createSession(workspace);
    const askOf = async (scenario: string) => {
      const parts = [{ type: "text" as const, text: `scenario:${scenario}` }];
      await server.engine.run("prompt", { session, parts, whenBusy: "queue" }, TESTER);
      await until(async () => (await server.engine.run("listAsks", { session }, TESTER)).asks.length === 1);
      return (await server.engine.run("listAsks", { session }, TESTER)).asks[0]!;
    };
    const permission = await askOf("approve");
    const allow = await run("replyToAsk", {
      ...{ session, ask: permission.ask },
      ...{ reply: "always", kind: "permission" },
    });
    expectRefusal(allow, 404, "ask_not_found");
    expect((await server.engine.run("listAsks", { session }, TESTER)).asks).toHaveLength(1);
    await server.engine.run(
      "replyToAsk",
      { session, ask: permission.ask, reply: "reject" },
      principal("owner", "v1"),
    );
    await until(async () => (await server.engine.run("getSession", { session }, TESTER)).status === "idle");
    const plan = await askOf("plan");
    const approvals = [{ answers: { plan: [plan.options[0]!.id] } }, { option: plan.options[0]!.id }];
    for (const approval of approvals)
      expectRefusal(await run("replyToAsk", { session, ask: plan.ask, ...approval }), 404, "ask_not_found");
    expect((await server.engine.run("listAsks", { session }, TESTER)).asks).toHaveLength(1);
    await server.engine.run(
      "replyToAsk",
      { session, ask: plan.ask, reply: "reject" },
      principal("owner", "v1"),
    );
    await until(async () => (await server.engine.run("getSession", { session }, TESTER)).status === "idle");
    const question = await askOf("question");
    const answers = { q1: ["anything"] };
    const answered = await run("replyToAsk", { session, ask: question.ask, answers });
    expect([answered.status, answered.body.result.answer.by]).toEqual([200, "agentsmithy-port"]);
  });

  test("no session is made with bypass or switched to it, and one that has it is not there", async () => {
    const cwd = workspace;
    const permissionMode = "bypass";
    expectRefusal(await run("createSession", { agent: "mock", cwd, permissionMode }), 403, "forbidden");
    const asking = await createSession(cwd);
    expectRefusal(await run("updateSession", { session: asking, permissionMode }), 403, "forbidden");
    expect((await server.engine.run("getSession", { session: asking }, TESTER)).permissionMode).not.toBe(
      "bypass",
    );
    const bypassing = await createSession(cwd, { permissionMode });
    const prompt = { parts: [{ type: "text", text: "hello" }], whenBusy: "queue" };
    expectRefusal(await run("prompt", { session: bypassing, ...prompt }), 404, "session_not_found");
    expectRefusal(await run("getSession", { session: bypassing }), 404, "session_not_found");
    await server.engine.run("updateSession", { session: asking, permissionMode }, TESTER);
    expectRefusal(await run("prompt", { session: asking, ...prompt }), 404, "session_not_found");
  });

  test.each([
    { mode: "plan" },
    { settings: { effort: "high" } },
    { mcpServers: { evil: { command: "sh" } } },
    { env: { PATH: "/tmp" } },
    { options: { pace: 0 } },
    { install: "auto" },
  ])("a session cannot be made with %j", async (field) => {
    const answer = await run("createSession", { agent: "mock", cwd: workspace, ...field });
    expectRefusal(answer, 403, "forbidden");
  });

  test("settings cannot be changed, nor given with a prompt", async () => {
    const session = await createSession(workspace);
    const settings = { effort: "high" };
    for (const change of [{ settings }, { env: { A: "b" } }, { mode: "plan" }])
      expectRefusal(await run("updateSession", { session, ...change }), 403, "forbidden");
    const prompt = { parts: [{ type: "text", text: "hello" }], whenBusy: "queue", settings };
    expectRefusal(await run("prompt", { session, ...prompt }), 403, "forbidden");
    expect((await run("updateSession", { session, title: "New" })).body.result.title).toBe("New");
  });

  test.each(["installAgent", "forkSession", "rewind", "edit", "regenerate", "listWorkspaces", "sendQueued"])(
    "%s is refused, as is every command that the port does not list",
    async (command) => expectRefusal(await run(command, { session: "anything" }), 403, "forbidden"),
  );

  test("asks of all sessions are refused", async () =>
    expectRefusal(await run("listAsks", {}), 403, "forbidden"));

  test.each(["followAll", "stats", "close"])("%s is refused", async (method) =>
    expectRefusal(await use("engine", method), 403, "forbidden"),
  );
});
