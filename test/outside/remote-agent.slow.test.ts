/** An ACP agent that runs elsewhere, in a real daemon: turns, cuts at any point, and servers that misbehave. */
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import {
  AcpServer,
  type AcpServerOptions,
  type Carrier,
} from "../../src/agents/acp/acp-server.test-support.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "../../src/daemon.ts";
import { call, TOKEN } from "../../src/server/http-client-test-support.ts";
import { until } from "../../src/testkit/until.ts";

const SECRET = "far-token-0123456789";
const CARRIERS: Carrier[] = ["ws", "tcp"];

let directory: string;
let memory: string;
let daemon: Daemon | undefined;
let server: AcpServer | undefined;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-here-")));
  memory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-there-")));
});

afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  await server?.close();
  server = undefined;
  for (const close of closers.splice(0)) await close();
  rmSync(directory, { recursive: true });
  rmSync(memory, { recursive: true });
});

async function serve(options: Omit<AcpServerOptions, "memory">): Promise<AcpServer> {
  server = await AcpServer.start({ memory, ...options });
  return server;
}

type AgentSettings = NonNullable<DaemonOptions["agents"]>[string];

async function start(settings: AgentSettings, limits: DaemonOptions["limits"] = {}): Promise<void> {
  daemon = await startDaemon({
    data: ":memory:",
    port: 0,
    token: TOKEN,
    roots: [directory],
    checkpoints: "on",
    environment: { ...process.env, FAR_TOKEN: SECRET },
    agents: { far: { protocol: "acp", ...settings } },
    limits,
  });
}

async function eventsOf(id: string): Promise<SessionEvent[]> {
  return (await call(daemon!.url, "GET", `/v1/sessions/${id}/events?limit=1000`)).body.events;
}

async function create(id: string, body: object = {}): Promise<void> {
  const answer = await call(daemon!.url, "POST", `/v1/sessions/${id}`, {
    body: { agent: "far", cwd: directory, ...body },
  });
  expect(answer.status).toBe(201);
}

function endsIn(events: readonly SessionEvent[]): EventOf<"turn.ended">[] {
  return events.filter((event) => event.type === "turn.ended");
}

/** Prompts, lets `during` happen while the turn runs, and gives its end. The log keeps its rules. */
async function turn(
  id: string,
  text: string,
  during?: () => void | Promise<void>,
): Promise<{ ended: EventOf<"turn.ended">; events: SessionEvent[]; said: string }> {
  const before = endsIn(await eventsOf(id)).length;
  const { status } = await call(daemon!.url, "POST", `/v1/sessions/${id}/messages`, { body: { text } });
  expect(status).toBe(202);
  await during?.();
  let events: SessionEvent[] = [];
  await until(async () => {
    events = await eventsOf(id);
    return endsIn(events).length > before;
  });
  expect(checkLog(events)).toEqual([]);
  const ended = endsIn(events).at(-1)!;
  const deltas = events.filter((event) => event.type === "text.delta" && event.turn === ended.turn);
  return { ended, events, said: deltas.map((event) => (event as EventOf<"text.delta">).delta).join("") };
}

describe.each(CARRIERS)("over %s", (carrier) => {
  it("is listed as remote, is probed, and answers", async () => {
    const { url } = await serve({ carrier });
    await start({ url });
    const { agents } = (await call(daemon!.url, "GET", "/v1/agents")).body;
    expect(agents.find(({ name }: { name: string }) => name === "far")).toMatchObject({
      capabilities: { availability: "remote" },
    });
    expect((await call(daemon!.url, "GET", "/v1/agents/far")).body.status).toEqual({
      installed: true,
      version: "1.0.0",
    });
    await create("s");
    expect(await turn("s", "text")).toMatchObject({
      ended: { outcome: "completed" },
      said: "Hello from the agent.",
    });
  });

  it("works where the config says, and its files have no checkpoints here", async () => {
    const far = await serve({ carrier });
    await start({ url: far.url, cwd: "/far/project" });
    await create("s");
    const { events } = await turn("s", "text");
    const opened = far.heard.map((line) => JSON.parse(line)).find(({ method }) => method === "session/new");
    expect(opened.params.cwd).toBe("/far/project");
    expect(events.filter(({ type }) => type.startsWith("checkpoint."))).toEqual([]);
    expect((await call(daemon!.url, "GET", "/v1/sessions/s")).body).toMatchObject({
      checkpointObstacle: "The agent runs elsewhere, and the files it works on are not here.",
    });
  });

  it("asks, and is stopped", async () => {
    const { url } = await serve({ carrier });
    await start({ url });
    await create("s");
    const asked = await turn("s", "permission", async () => {
      await until(async () => (await eventsOf("s")).some(({ type }) => type === "ask.opened"));
      const { asks } = (await call(daemon!.url, "GET", "/v1/asks")).body;
      const path = `/v1/sessions/s/asks/${asks[0].ask ?? asks[0].id}/reply`;
      expect((await call(daemon!.url, "POST", path, { body: { option: "yes" } })).status).toBe(200);
    });
    expect(asked.said).toContain("passed");
    const stopped = await turn("s", "endless", async () => {
      await until(async () =>
        (await eventsOf("s")).some((event) => event.type === "text.delta" && event.delta === "I begin."),
      );
      await call(daemon!.url, "POST", "/v1/sessions/s/interrupt");
    });
    expect(stopped.ended.outcome).toBe("interrupted");
  });

  it("a connection that is lost in a turn fails the turn; the next prompt takes the conversation up", async () => {
    const far = await serve({ carrier });
    await start({ url: far.url });
    await create("s");
    await turn("s", "the word is kestrel");
    const { ended } = await turn("s", "endless", async () => {
      await until(async () =>
        (await eventsOf("s")).some((event) => event.type === "text.delta" && event.delta === "I begin."),
      );
      far.cut();
    });
    expect(ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_disconnected", message: expect.stringContaining("127.0.0.1") },
    });
    expect((await turn("s", "recall")).said).toContain("the word is kestrel");
    expect(far.connections).toBe(2);
  });

  it("a connection that is lost between turns is opened again without a word", async () => {
    const far = await serve({ carrier });
    await start({ url: far.url });
    await create("s");
    await turn("s", "the word is kestrel");
    far.cut();
    await until(async () => (await eventsOf("s")).some(({ type }) => type === "session.detached"));
    expect((await call(daemon!.url, "GET", "/v1/sessions/s")).body.status).toBe("idle");
    const { said, events } = await turn("s", "recall");
    expect(said).toContain("the word is kestrel");
    const told = events.filter((event) => event.type === "notice" || event.type === "agent.unknown");
    // Only that there are no checkpoints.
    expect(told).toEqual([expect.objectContaining({ code: "checkpoint" })]);
    expect(events.find(({ type }) => type === "session.detached")).toMatchObject({ reason: "exit" });
  });

  it("a server that comes back in time is waited for", async () => {
    const far = await serve({ carrier });
    const { url, port } = far;
    await start({ url });
    await create("s");
    await turn("s", "the word is kestrel");
    await far.close();
    const { said } = await turn("s", "recall", async () => {
      await until(async () => (await eventsOf("s")).some(({ type }) => type === "turn.started"));
      await serve({ carrier, port });
    });
    expect(said).toContain("the word is kestrel");
  });

  it("cut before any message, the log is sound, each turn ends once, and the next one works", {
    timeout: 120_000,
  }, async () => {
    let cuts: readonly number[] = [];
    const far = await serve({ carrier, cutBefore: (connection) => cuts[connection - 1] });
    await start({ url: far.url });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 26 }), { minLength: 1, maxLength: 3 }),
        async (places) => {
          count += 1;
          cuts = [...Array.from({ length: far.connections }, () => Number.MAX_SAFE_INTEGER), ...places];
          const id = `cut${count}`;
          await create(id);
          // Each prompt may meet cuts while it connects, too.
          for (let attempt = 0; attempt <= places.length; attempt += 1) {
            const { ended } = await turn(id, "stream");
            expect(["completed", "failed"]).toContain(ended.outcome);
          }
          const { ended, events, said } = await turn(id, "stream");
          expect(ended.outcome).toBe("completed");
          expect(said).toContain("piece 0 piece 1");
          expect(said.match(/piece 19 /g)).toHaveLength(1);
          const starts = events.filter(({ type }) => type === "turn.started").length;
          expect(endsIn(events)).toHaveLength(starts);
        },
      ),
      { numRuns: 12 },
    );
  });

  it.each([
    [{ options: { files: true } }, "far runs elsewhere: it works on files there. Take options.files out."],
    [{ options: { terminals: true } }, "far runs elsewhere: it runs commands there."],
    [{ env: { KEY: "value-of-a-key" } }, "far runs elsewhere: it has its own environment."],
  ])("refuses what makes no sense there: %j", async (body, reason) => {
    const { url } = await serve({ carrier });
    await start({ url });
    await create("s", body);
    const { ended } = await turn("s", "text");
    expect(ended.error).toMatchObject({ code: "unsupported", message: expect.stringContaining(reason) });
  });
});

it("sends headers with variables of the daemon, which appear nowhere", async () => {
  const far = await serve({ carrier: "ws" });
  await start({
    url: `${far.url}?key=not-to-be-shown`,
    headers: { Authorization: "Bearer $FAR_TOKEN", "X-Team": "blue" },
  });
  await create("s");
  await turn("s", `the token is ${SECRET}`);
  const { said } = await turn("s", "recall");
  expect(far.headers.at(-1)).toMatchObject({ authorization: `Bearer ${SECRET}`, "x-team": "blue" });
  const raw = (await call(daemon!.url, "GET", "/v1/sessions/s/raw?limit=1000")).text;
  const everything = [raw, said, JSON.stringify(await eventsOf("s"))].join();
  expect(everything).not.toContain(`Bearer ${SECRET}`);
  expect(everything).not.toContain("not-to-be-shown");
});

describe("a server that misbehaves fails the turn, and tells why", () => {
  async function webSockets(behave: (socket: import("ws").WebSocket) => void): Promise<string> {
    const bad = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(bad, "listening");
    bad.on("connection", (socket) => {
      socket.on("error", () => {});
      behave(socket);
    });
    closers.push(() => {
      for (const socket of bad.clients) socket.terminate();
      return new Promise((done) => bad.close(done));
    });
    return `ws://127.0.0.1:${(bad.address() as AddressInfo).port}`;
  }

  async function sockets(scheme: "ws" | "tcp", behave: (socket: Socket) => void): Promise<string> {
    const open = new Set<Socket>();
    const bad = createServer((socket) => {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
      behave(socket);
    });
    bad.listen(0, "127.0.0.1");
    await once(bad, "listening");
    closers.push(() => {
      for (const socket of open) socket.destroy();
      return new Promise((done) => bad.close(done));
    });
    return `${scheme}://127.0.0.1:${(bad.address() as AddressInfo).port}`;
  }

  async function failure(url: string, connectTimeoutMs = 3000): Promise<string> {
    await start({ url }, { connectTimeoutMs });
    await create("s");
    const { ended } = await turn("s", "text");
    expect(ended).toMatchObject({ outcome: "failed", error: { code: "agent_failed" } });
    // The daemon is well.
    await call(daemon!.url, "POST", "/v1/sessions/other", {
      body: { agent: "mock", options: { pace: 0 }, cwd: directory },
    });
    await call(daemon!.url, "POST", "/v1/sessions/other/messages", { body: { text: "scenario:text" } });
    await until(async () => endsIn(await eventsOf("other")).length === 1);
    return ended.error!.message;
  }

  it("never answers a handshake", async () => {
    expect(await failure(await sockets("ws", () => {}), 500)).toContain("was not ready within");
  });

  it.each(["ws", "tcp"] as const)("never answers a message: %s", async (scheme) => {
    const url =
      scheme === "ws" ? await webSockets(() => {}) : await sockets("tcp", (socket) => socket.resume());
    expect(await failure(url, 500)).toContain("was not ready within");
  });

  it("says what is no JSON", async () => {
    const url = await webSockets((socket) => {
      socket.send("<html>");
      socket.send(Buffer.from([0xff, 0xfe, 0x00]));
      socket.send('{"jsonrpc":"2.0","id":99,"result":{}}');
      socket.send("[1,2]");
    });
    expect(await failure(url, 500)).toContain("was not ready within");
  });

  it("sends one enormous frame", { timeout: 60_000 }, async () => {
    const url = await webSockets((socket) => socket.send("x".repeat(65 * 1024 * 1024)));
    expect(await failure(url, 20_000)).toMatch(/Max payload size exceeded|closed with 1009/);
  });

  it("sends one enormous line", { timeout: 60_000 }, async () => {
    const url = await sockets("tcp", (socket) => {
      socket.end(Buffer.alloc(65 * 1024 * 1024, "x"));
    });
    expect(await failure(url, 20_000)).toContain("closed by the other side");
  });

  it("closes at once: ws", async () => {
    expect(await failure(await webSockets((socket) => socket.close(4003, "no room")))).toContain(
      "closed with 4003 (no room)",
    );
  });

  it("closes at once: tcp", async () => {
    expect(await failure(await sockets("tcp", (socket) => socket.end()))).toContain(
      "closed by the other side",
    );
  });

  it("resets in the handshake", async () => {
    const url = await sockets("ws", (socket) => socket.resetAndDestroy());
    expect(await failure(url, 1000)).toMatch(/was not ready within|cannot be reached/);
  });

  it("is none of WebSockets", async () => {
    const http = createHttpServer((_request, response) => response.writeHead(401).end());
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    closers.push(() => new Promise((done) => http.close(done)));
    const message = await failure(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    expect(message).toContain("it answered 401 Unauthorized");
    expect(message).toContain("its address and headers in the config file");
  });

  it("is not there", async () => {
    const url = await sockets("tcp", () => {});
    await closers.pop()!();
    expect(await failure(url, 1500)).toContain("was not ready within");
  });
});

describe("settings that make no sense are refused at the start", () => {
  it.each([
    [
      { url: "ws://box.example.com/agent" },
      "agents.far.url: ws:// is not encrypted and leaves this machine. Use wss://",
    ],
    [{ url: "tcp://10.0.0.1:9000" }, "agents.far.url: tcp:// is not encrypted and leaves this machine."],
    [{ url: "http://127.0.0.1:1" }, "agents.far.url: give an address such as wss://host/path"],
    [{ url: "nonsense" }, "agents.far.url: give an address such as wss://host/path"],
    [{ url: "tcp://127.0.0.1" }, "agents.far.url: tcp:// needs a port"],
    [{ url: "tcp://127.0.0.1:1/x" }, "agents.far.url: tcp:// has no path"],
    [{ url: "wss://me:word@box.example.com/" }, "agents.far.url: an address is shown to people"],
    [{ url: "tcp://127.0.0.1:1", headers: { a: "b" } }, "agents.far.headers: tcp:// has no headers"],
    [
      { url: "wss://box/", headers: { a: "$NOT_SET" } },
      "agents.far.headers.a: the variable NOT_SET is not set",
    ],
    [{ url: "wss://box/", command: "x" }, "agents.far.command: the agent runs elsewhere"],
    [{ url: "wss://box/", env: { A: "b" } }, "agents.far.env: the agent runs elsewhere"],
    [
      { url: "wss://box/", cwd: "project" },
      "agents.far.cwd: give an absolute path on the machine of the agent",
    ],
    [{ command: "x", cwd: "/p" }, "agents.far.cwd: it is for agents that run elsewhere"],
    [{ command: "x", headers: { a: "b" } }, "agents.far.headers: it is for agents that run elsewhere"],
  ] as [AgentSettings, string][])("%j", async (settings, message) => {
    await expect(start(settings)).rejects.toThrow(message);
  });
});
