/** Clients that send as much at once as they can, while another one asks for the daemon's health. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { TOKEN } from "../http-client-test-support.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";
import { createEchoDialect } from "./echo-dialect-test-support.ts";
import { SocketClient } from "./socket-client-test-support.ts";

let server: SyntheticServer;
const connections: RawConnection[] = [];

afterEach(async () => {
  for (const { socket } of connections.splice(0)) socket.destroy();
  await server.close();
});

/** A connection whose bytes the test writes itself. */
class RawConnection {
  readonly socket: Socket;
  readonly pieces: Buffer[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("data", (piece) => this.pieces.push(piece));
  }

  /** The server knows it: it takes new connections one by one, and has answered a first request. */
  static async open(): Promise<RawConnection> {
    const { hostname, port } = new URL(server.url);
    const connection = new RawConnection(connect(Number(port), hostname));
    connections.push(connection);
    connection.get("/v1/health");
    await until(() => connection.received.includes("}"));
    connection.pieces.length = 0;
    return connection;
  }

  get received(): Buffer {
    return Buffer.concat(this.pieces);
  }

  /** The status of the first answer, once it is there. */
  get status(): string | undefined {
    return /^HTTP\/1\.1 (\d+)/.exec(this.received.toString("latin1"))?.[1];
  }

  get(path: string, headers: readonly string[] = []): void {
    const lines = [`GET ${path} HTTP/1.1`, `host: ${new URL(server.url).host}`, ...headers];
    this.socket.write(`${lines.join("\r\n")}\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
  }

  upgrade(path: string): void {
    const key = randomBytes(16).toString("base64");
    this.get(path, [
      "upgrade: websocket",
      "connection: upgrade",
      "sec-websocket-version: 13",
      `sec-websocket-key: ${key}`,
    ]);
  }
}

/** A frame of a client, masked with zeros. */
function frame(code: number, text = ""): Buffer {
  return Buffer.from([0x80 | code, 0x80 | text.length, 0, 0, 0, 0, ...Buffer.from(text)]);
}

test("hundreds of sockets that open at once do not hold up a request for the health", async () => {
  server = await startSyntheticServer({}, { dialects: [createEchoDialect()] });
  // What is loaded for the first socket is loaded now.
  (await SocketClient.open(server.url, "/echo/first")).close();
  const opening = await Promise.all(Array.from({ length: 400 }, () => RawConnection.open()));
  const health = await RawConnection.open();
  for (const connection of opening) connection.upgrade("/echo/a");
  health.get("/v1/health");
  await once(health.socket, "data");
  expect(server.fanOut.openSockets).toBeLessThan(200);
  expect(health.status).toBe("200");
  await until(() => server.fanOut.openSockets === 400);
});

test("sockets beyond those that may wait to be opened are refused with a reason", async () => {
  server = await startSyntheticServer({ maxStreams: 30 }, { dialects: [createEchoDialect()] });
  const opening = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open()));
  for (const connection of opening) connection.upgrade("/echo/a");
  await until(() => opening.every(({ status }) => status !== undefined));
  const opened = opening.filter(({ status }) => status === "101");
  const refused = opening.filter(({ status }) => status === "429");
  expect([opened.length, refused.length]).toEqual([30, 170]);
  const answers = refused.map(({ received }) => received.toString());
  expect(answers.some((text) => text.includes("Too many sockets are being opened at once."))).toBe(true);
  for (const text of answers) {
    expect(text).toContain("content-type: application/problem+json");
    expect(text).toMatch(/retry-after: \d/);
  }
});

test.each([
  ["pings", frame(9), 10_000],
  ["pongs", frame(10), 10_000],
])("a flood of %s does not hold up a request for the health", async (_, one, count) => {
  server = await startSyntheticServer({}, { dialects: [createEchoDialect()] });
  const flooding = await RawConnection.open();
  flooding.upgrade("/echo/a");
  await until(() => flooding.status === "101");
  const health = await RawConnection.open();
  // A ping at the end: its answer shows that all before it were read.
  flooding.socket.write(Buffer.concat([...Array.from({ length: count }, () => one), frame(9, "end")]));
  health.get("/v1/health");
  await once(health.socket, "data");
  expect(flooding.received.includes("end")).toBe(false);
  await until(() => flooding.received.includes("end"));
});

test("every ping of a flood is answered, in order", async () => {
  server = await startSyntheticServer({}, { dialects: [createEchoDialect()] });
  const client = await SocketClient.open(server.url, "/echo/a");
  const pongs: string[] = [];
  client.socket.on("pong", (data) => pongs.push(String(data)));
  for (let n = 0; n < 500; n += 1) client.socket.ping(String(n));
  await until(() => pongs.length === 500);
  expect(pongs).toEqual(Array.from({ length: 500 }, (_, n) => String(n)));
  client.close();
});

test("sockets that catch up with the same log at once share its frames, and none waits for all of them", async () => {
  const dialect = createEchoDialect();
  server = await startSyntheticServer({}, { dialects: [dialect] });
  await server.logs.create("a");
  await server.logs.appendDeltas("a", 3000);
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => SocketClient.open(server.url, "/echo/a/log?shared")),
  );
  await until(() => clients.every(({ messages }) => messages.length === 2 * 3001));
  for (const client of clients) {
    expect(client.messages).toEqual(clients[0]!.messages);
    client.close();
  }
  // A reader that comes when the first one has gone on alone folds the log once more.
  expect(dialect.folded).toBeLessThanOrEqual(3 * 3001);
});
