import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { AgentProcess } from "../../../process/process-host.ts";
import { until } from "../../../testkit/until.ts";
import { lineText } from "../line-text.ts";
import { type RemoteHostOptions, remoteHost } from "./remote-host.ts";

let server: WebSocketServer;
let agents: AgentProcess[];
const options = { command: "", args: [], cwd: "/" };

async function listen(more: object = {}): Promise<void> {
  server = new WebSocketServer({ host: "127.0.0.1", port: 0, ...more });
  await once(server, "listening");
}

beforeEach(() => {
  agents = [];
});

afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.end()));
  for (const socket of server.clients) socket.terminate();
  await new Promise((done) => server.close(done));
});

async function connect(more: RemoteHostOptions = {}): Promise<{ agent: AgentProcess; socket: WebSocket }> {
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/x?secret=1`;
  const connected = once(server, "connection");
  const agent = await remoteHost({ url, headers: {} }, more).spawn(options);
  agents.push(agent);
  const [socket] = (await connected) as [WebSocket];
  return { agent, socket };
}

describe("a connection over a WebSocket", () => {
  it("whose other side answers no ping is lost, and nothing secret is told", async () => {
    await listen({ autoPong: false });
    const { agent } = await connect({ pingMs: 10 });
    expect(await agent.exited).toEqual({ code: null, signal: null, isLost: true });
    expect(agent.stderrTail()).toMatch(
      /^The connection to ws:\/\/127\.0\.0\.1:\d+\/x was lost: it does not answer any more\.$/,
    );
  });

  it("whose other side answers pings is kept", async () => {
    await listen();
    const { agent, socket } = await connect({ pingMs: 5 });
    let pings = 0;
    socket.on("ping", () => {
      pings += 1;
    });
    await until(() => pings > 10);
    await agent.write("still there");
    const [data] = await once(socket, "message");
    expect(String(data)).toBe("still there");
  });

  it("is read as fast as somebody reads, and nothing is lost meanwhile, however long that takes", async () => {
    await listen();
    const { agent, socket } = await connect({ pingMs: 5 });
    const piece = "x".repeat(64 * 1024);
    const count = 1000;
    for (let number = 0; number < count; number += 1) socket.send(`${number} ${piece}`);
    // What the systems' buffers do not hold waits there.
    let waiting = -1;
    let steady = 0;
    await until(() => {
      steady = socket.bufferedAmount === waiting ? steady + 1 : 0;
      waiting = socket.bufferedAmount;
      return steady === 10;
    });
    expect(waiting).toBeGreaterThan(10 * 1024 * 1024);
    const numbers: number[] = [];
    for await (const line of agent.lines) {
      numbers.push(Number.parseInt(lineText(line), 10));
      if (numbers.length === count) break;
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, number) => number));
  });

  it("that is ended says goodbye, and takes nothing more", async () => {
    await listen();
    const { agent, socket } = await connect();
    const closed = once(socket, "close");
    await agent.end();
    expect((await closed)[0]).toBe(1000);
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    await expect(agent.write("x")).rejects.toMatchObject({ code: "session_closed" });
  });

  it("that nobody waits for any more is not opened", async () => {
    await listen();
    const leave = new AbortController();
    const opening = connect({ signal: leave.signal });
    leave.abort(new Error("enough"));
    await expect(opening).rejects.toThrow("enough");
    await until(() => server.clients.size === 0);
  });
});
