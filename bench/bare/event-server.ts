/**
 * The ceiling of a fan-out in Node: a body that lies framed in memory goes to every socket as fast as each takes it.
 * `GET /stream` waits, `GET /go` sends to all that wait.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { chunk, listen, startEventStream } from "./listen.ts";

const FRAME_BYTES = 64 * 1024;

const frames = cut(readFileSync(process.argv[2]!)).map(chunk);
let waiting: Socket[] = [];

listen((url, response) => {
  if (url.pathname === "/stream") {
    startEventStream(response);
    waiting.push(response.socket!);
    return;
  }
  const sockets = waiting;
  waiting = [];
  for (const socket of sockets) send(socket, 0);
  response.end();
});

function send(socket: Socket, from: number): void {
  for (let index = from; index < frames.length; index += 1) {
    if (socket.write(frames[index]!)) continue;
    socket.once("drain", () => send(socket, index + 1));
    return;
  }
}

/** Between two events, as ours. */
function cut(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf("\n\n", start + FRAME_BYTES);
    const next = end === -1 ? body.length : end + 2;
    pieces.push(body.subarray(start, next));
    start = next;
  }
  return pieces;
}
