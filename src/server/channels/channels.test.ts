import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { principal } from "../../core/principal.ts";
import { OWNER } from "../../core/rights.ts";
import { until } from "../../testkit/until.ts";
import { AUTHORIZED, call, TOKEN } from "../http-client-test-support.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";
import { createEchoDialect, type EchoDialect } from "./echo-dialect-test-support.ts";
import { refusal, SocketClient, type SocketOptions } from "./socket-client-test-support.ts";

let server: SyntheticServer;
let dialect: EchoDialect;
const clients: SocketClient[] = [];

async function start(limits = {}, config = {}): Promise<void> {
  dialect = createEchoDialect();
  server = await startSyntheticServer(limits, { dialects: [dialect], config });
}

beforeEach(() => start());

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
});

async function open(path = "/echo/a", options?: SocketOptions): Promise<SocketClient> {
  const client = await SocketClient.open(server.url, path, options);
  clients.push(client);
  return client;
}

async function restart(limits: object, config = {}): Promise<void> {
  await server.close();
  await start(limits, config);
}

describe("the handshake", () => {
  it("takes the token from the header", async () => {
    const client = await open();
    client.send("hello");
    await until(() => client.messages.length > 0);
    expect(client.messages).toEqual(["owner: hello"]);
    expect(client.socket.protocol).toBe("");
    expect(client.socket.extensions).toBe("");
  });

  it("takes the token of a browser by subprotocols, and answers only the first", async () => {
    const socket = new globalThis.WebSocket(`${server.url.replace("http", "ws")}/echo/a`, [
      "interlingua",
      `bearer.${TOKEN}`,
    ]);
    const received: unknown[] = [];
    socket.onmessage = ({ data }) => received.push(data);
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    expect(socket.protocol).toBe("interlingua");
    socket.send("hello");
    await until(() => received.length > 0);
    expect(received).toEqual(["owner: hello"]);
    const closed = new Promise((resolve) => {
      socket.onclose = resolve;
    });
    socket.close();
    await closed;
    await until(() => server.fanOut.openSockets === 0);
  });

  it.each<[string, number, string, string, SocketOptions]>([
    ["no token", 401, "unauthorized", "/echo/a", { headers: {} }],
    ["a wrong token", 401, "unauthorized", "/echo/a", { headers: { authorization: "Bearer x" } }],
    [
      "a wrong token by subprotocol",
      401,
      "unauthorized",
      "/echo/a",
      { headers: {}, protocols: ["interlingua", "bearer.x"] },
    ],
    ["the token in the address", 400, "invalid_request", `/echo/a?token=${TOKEN}`, { headers: {} }],
    ["it there, too", 400, "invalid_request", `/echo/a?access_token=${TOKEN}`, {}],
    [
      "another host",
      403,
      "host_not_allowed",
      "/echo/a",
      { headers: { ...AUTHORIZED, host: "evil.example" } },
    ],
    [
      "a page of another origin",
      403,
      "origin_not_allowed",
      "/echo/a",
      { headers: { ...AUTHORIZED, origin: "https://evil.example" } },
    ],
    ["other subprotocols", 400, "invalid_request", "/echo/a", { protocols: ["other"] }],
    ["a path of the dialect with nothing there", 404, "not_found", "/echo/a/b/c", {}],
    ["a path outside", 404, "not_found", "/nothing", {}],
    ["what the handler refuses", 404, "session_not_found", "/echo/missing", {}],
  ])("refuses %s with %i %s", async (_, status, code, path, options) => {
    const refused = await refusal(server.url, path, options);
    expect(refused.status).toBe(status);
    expect(refused.headers["content-type"]).toBe("application/problem+json");
    expect(refused.headers["cache-control"]).toBe("no-store");
    expect(refused.body).toMatchObject({ status, code });
    expect(JSON.stringify(refused.body)).not.toContain(TOKEN);
    await until(() => server.requests.open === 0);
  });

  it("names the field where the token must not stand, and the remedy", async () => {
    const { body } = await refusal(server.url, `/echo/a?token=${TOKEN}`, { headers: {} });
    expect(body.errors).toEqual([{ path: "token", message: "must not stand in the address" }]);
    expect(body.detail).toContain("subprotocols");
  });

  it("answers requests that are no upgrade with 426, other methods with 405", async () => {
    const plain = await call(server.url, "GET", "/echo/a");
    expect(plain).toMatchObject({ status: 426, body: { code: "upgrade_required" } });
    expect(plain.headers.upgrade).toBe("websocket");
    const posted = await call(server.url, "POST", "/echo/a");
    expect(posted).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(posted.headers.allow).toBe("GET");
  });

  it.each<[string, number, string, Record<string, string>]>([
    ["an old version of the protocol", 426, "upgrade_required", { "sec-websocket-version": "8" }],
    ["a key that is none", 400, "invalid_request", { "sec-websocket-key": "short" }],
  ])("refuses %s with %i %s", async (_, status, code, wrong) => {
    const handshake = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const refused = await call(server.url, "GET", "/echo/a", { headers: { ...handshake, ...wrong } });
    expect(refused).toMatchObject({ status, body: { status, code } });
    if (status === 426) expect(refused.headers["sec-websocket-version"]).toBe("13");
  });

  it("answers upgrades elsewhere as if none was asked for", async () => {
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    expect(await call(server.url, "GET", "/v1/health", { headers })).toMatchObject({ status: 200 });
    const other = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" };
    expect(await call(server.url, "GET", "/echo/a", { headers: other })).toMatchObject({ status: 426 });
  });

  it("lets a page of a configured origin in, and tells it by a close code what a handler refuses", async () => {
    await restart({}, { corsOrigins: ["https://good.example"] });
    const headers = { ...AUTHORIZED, origin: "https://good.example" };
    const client = await open("/echo/a", { headers });
    client.send("hello");
    await until(() => client.messages.length > 0);
    const refused = await open("/echo/missing", { headers });
    expect(await refused.ended()).toMatchObject({ code: 4404, reason: expect.stringContaining("missing") });
  });

  it("counts wrong tokens and requests like those of requests", async () => {
    await restart({ requestBurst: 2, requestsPerSecond: 0.001 });
    expect((await refusal(server.url, "/echo/a", { headers: {} })).status).toBe(401);
    await open();
    expect(await refusal(server.url, "/echo/a")).toMatchObject({
      status: 429,
      body: { code: "too_many_requests" },
    });
  });

  it("counts sockets as streams, and refuses one too many", async () => {
    await restart({ maxStreams: 2 });
    const first = await open();
    await open();
    expect(server.fanOut.openStreams).toBe(2);
    const refused = await refusal(server.url, "/echo/a");
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(refused.headers["retry-after"]).toBe("5");
    first.close();
    await until(() => server.fanOut.openStreams === 1);
    await open();
  });

  it("a client that leaves in the middle of it leaves nothing behind", async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `GET /echo/a HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${TOKEN}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      () => socket.resetAndDestroy(),
    );
    await until(() => server.requests.count === 1 && server.requests.open === 0);
    expect(server.fanOut.openSockets).toBe(0);
  });
});

describe("messages", () => {
  it("come in order, one after the other, also those sent before anybody listened", async () => {
    const client = await open();
    for (let index = 0; index < 60; index += 1) client.send(String(index));
    await until(() => client.messages.length === 60);
    expect(client.messages).toEqual(Array.from({ length: 60 }, (_, index) => `owner: ${index}`));
  });

  it("that are too large close the socket with 1009", async () => {
    await restart({ maxMessageBytes: 1000 });
    const client = await open();
    client.send("x".repeat(1000));
    await until(() => client.messages.length === 1);
    client.send("x".repeat(1001));
    expect((await client.ended()).code).toBe(1009);
    await until(() => server.fanOut.openSockets === 0);
  });

  it("that are binary close it with 1003, broken text with 1007", async () => {
    const binary = await open();
    binary.socket.send(Buffer.from("hello"), { binary: true });
    expect(await binary.ended()).toMatchObject({ code: 1003, reason: expect.stringContaining("text") });
    const broken = await open();
    broken.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect((await broken.ended()).code).toBe(1007);
  });

  it("beyond the rate wait, and hundreds at once close the socket with 1008", async () => {
    await restart({ messageBurst: 2, messagesPerSecond: 200 });
    const client = await open();
    for (let index = 0; index < 50; index += 1) client.send("hello");
    await until(() => client.messages.length === 50);
    const flood = await open();
    for (let index = 0; index < 5000; index += 1) flood.send("hello");
    expect(await flood.ended()).toMatchObject({
      code: 1008,
      reason: "too many messages at once: wait for answers",
    });
  });

  it("of all sockets together are bounded while they arrive", async () => {
    await restart({ maxBodyMemoryBytes: 300_000 });
    const client = await open("/echo/silent");
    client.send("x".repeat(200_000));
    const other = await open("/echo/silent");
    other.send("x".repeat(200_000));
    expect((await other.ended()).code).toBe(1013);
    client.close();
    await until(() => server.fanOut.openSockets === 0);
    // What was counted is free again.
    const third = await open();
    third.send("x".repeat(200_000));
    await until(() => third.messages.length === 1);
    expect(third.closed).toBeUndefined();
  });

  it("do not take room with pings, of which nothing is kept", async () => {
    await restart({ maxBodyMemoryBytes: 300_000 });
    const client = await open();
    let pongs = 0;
    client.socket.on("pong", () => {
      pongs += 1;
    });
    for (let round = 1; round <= 3000; round += 1) {
      client.socket.ping("x".repeat(125));
      await until(() => pongs === round || client.closed !== undefined);
      if (client.closed) break;
    }
    expect(client.closed).toBeUndefined();
  });

  it("that a handler fails with end the socket with 1011, as an error when it opens", async () => {
    const client = await open();
    client.send("fail");
    expect((await client.ended()).code).toBe(1011);
    expect((await (await open("/echo/broken")).ended()).code).toBe(1011);
  });

  it("a reason is cut at whole characters", async () => {
    const client = await open();
    client.send("end");
    const { code, reason } = await client.ended();
    expect(code).toBe(4000);
    expect(reason).toMatch(/^é{60}…$/);
  });
});

describe("the end", () => {
  it("of the server is 1001, with the reason", async () => {
    const client = await open();
    await server.close();
    expect(await client.ended()).toEqual({ code: 1001, reason: "the daemon is shutting down" });
    await start();
  });

  it("of the server does not wait for a client that does not answer", async () => {
    await restart({ shutdownMs: 100 });
    const client = await open();
    client.socket.pause();
    await server.close();
    await until(() => server.requests.open === 0);
    await start();
  });

  it("of a token is 4001 for its sockets alone", async () => {
    const [client, other] = [await open(), await open()];
    await until(() => dialect.opened.length === 2);
    Object.assign(dialect.opened[0]!, { caller: principal("phone", "echo", { ...OWNER, token: "t1" }) });
    server.fanOut.endStreamsOf("t1");
    expect((await client.ended()).code).toBe(4001);
    expect(other.closed).toBeUndefined();
  });

  it("of a session is 4404 when it is deleted, and 1000 when it is closed", async () => {
    for (const id of ["a", "b"]) await server.logs.create(id);
    const [deleted, closed] = [await open("/echo/a/log"), await open("/echo/b/log?shared")];
    await until(() => deleted.messages.length === 2 && closed.messages.length === 2);
    await server.logs.delete("a");
    expect(await deleted.ended()).toEqual({ code: 4404, reason: "the session was deleted" });
    await server.logs.append("b", [{ type: "session.closed" }]);
    expect((await closed.ended()).code).toBe(1000);
    expect(closed.values.at(-1)).toEqual({ seq: 2, type: "session.closed" });
  });
});

describe("a quiet socket", () => {
  it("gets pings, and stays open while it answers them", async () => {
    await restart({ keepAliveMs: 40 });
    const client = await open();
    let pings = 0;
    client.socket.on("ping", () => {
      pings += 1;
    });
    await until(() => pings >= 10);
    expect(client.closed).toBeUndefined();
    expect(server.fanOut.openSockets).toBe(1);
  });

  it("that answers none is ended", async () => {
    await restart({ keepAliveMs: 40 });
    const client = await open("/echo/a", { autoPong: false });
    expect((await client.ended()).code).toBe(1006);
    expect(server.fanOut.counters.socketsLost).toBe(1);
  });

  it("answers pings of its client", async () => {
    const client = await open();
    let answer = "";
    client.socket.on("pong", (data) => {
      answer = String(data);
    });
    client.socket.ping("there?");
    await until(() => answer === "there?");
  });
});

it("is counted while it is open, as a stream and as a request", async () => {
  const client = await open();
  client.send("hello");
  await until(() => client.messages.length === 1);
  expect(server.requests.open).toBe(1);
  expect(server.fanOut.openStreams).toBe(1);
  expect(server.fanOut.openSockets).toBe(1);
  expect(server.fanOut.counters).toMatchObject({ opened: 1, socketsOpened: 1, socketMessages: 1 });
  client.socket.close();
  await until(() => server.requests.open === 0);
  expect(server.fanOut.openSockets).toBe(0);
});
