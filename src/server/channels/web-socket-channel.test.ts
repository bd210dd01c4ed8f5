import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { BodyMemory } from "../bodies/read-json-body.ts";
import { StreamCounters } from "../streams/stream-counters.ts";
import { ViewBatch } from "../streams/view-batch.ts";
import { SocketClient } from "./socket-client-test-support.ts";
import { WebSocketChannel } from "./web-socket-channel.ts";

async function connect() {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const counters = new StreamCounters();
  const opened = Promise.withResolvers<{ channel: WebSocketChannel; connection: Socket }>();
  sockets.on("connection", (socket, request) => {
    const options = {
      counters,
      caller: TESTER,
      limits: { messagesPerSecond: 10, messageBurst: 10 },
      memory: new BodyMemory(1_000_000),
      onError() {},
    };
    const connection = request.socket;
    opened.resolve({ channel: new WebSocketChannel(socket, connection, options), connection });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = await SocketClient.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "/");
  onTestFinished(() => {
    client.close();
    server.close();
  });
  return { client, sockets, ...(await opened.promise) };
}

/** `bytes` wait in the connection or are on their way when the client closes. It reads on after a late commit. */
it.each([0, 16 * 1024 * 1024])(
  "a client that closes while commits go on gets its own close code, and nothing is written behind it (%i)",
  async (bytes) => {
    const { client, channel, sockets, connection } = await connect();
    const [socket] = [...sockets.clients];
    const errors: Error[] = [];
    connection.on("error", (error) => errors.push(error));
    client.socket.pause();
    channel.writeFrames(new ViewBatch([{ seq: 1, text: "x".repeat(bytes + 1) }], false));
    client.socket.close(4001, "enough");
    await until(() => socket!.readyState !== socket!.OPEN && (bytes > 0 || connection.writableEnded));
    const { queuedBytes } = channel;
    channel.writeFrames(new ViewBatch([{ seq: 2, text: "late" }], false));
    channel.writeText("late");
    channel.keepAlive();
    expect(channel.queuedBytes).toBe(queuedBytes);
    client.socket.resume();
    expect(await client.ended()).toEqual({ code: 4001, reason: "enough" });
    expect(client.messages).toHaveLength(1);
    expect(errors).toEqual([]);
  },
);
