/** A line over TCP: one message for each line. */
import { connect, type Socket } from "node:net";
import { LineSplitter } from "../../../process/line-splitter.ts";
import {
  ConnectFailure,
  connectFailure,
  type RemoteAddress,
  type RemoteEvents,
  type RemoteLimits,
  type RemoteLink,
} from "./remote-link.ts";

/** After this much silence the system asks whether the other side is there. */
const KEEP_ALIVE_MS = 20_000;

/** Rejects with a ConnectFailure. */
export async function connectTcp(
  { url }: RemoteAddress,
  limits: RemoteLimits,
  events: RemoteEvents,
  signal?: AbortSignal,
): Promise<RemoteLink> {
  signal?.throwIfAborted();
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
  const opened = Promise.withResolvers<void>();
  const late = () => opened.reject(new ConnectFailure("it did not answer in time", { mayPass: true }));
  const timer = limits.attemptMs === undefined ? undefined : setTimeout(late, limits.attemptMs);
  const abort = () => opened.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  socket.once("connect", () => opened.resolve());
  socket.once("error", (error) => opened.reject(connectFailure(error)));
  try {
    const link = attach(socket, limits, events);
    await opened.promise;
    return link;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function attach(socket: Socket, { maxMessageBytes }: RemoteLimits, events: RemoteEvents): RemoteLink {
  const splitter = new LineSplitter({ maxLineBytes: maxMessageBytes });
  let isOpen = false;
  let isOver = false;
  let trouble = "it was closed by the other side";
  const lose = () => {
    if (isOver) return;
    isOver = true;
    if (!isOpen) return;
    for (const line of splitter.end()) events.heard(line);
    events.lost(trouble);
  };
  socket.on("connect", () => {
    isOpen = true;
  });
  socket.on("data", (chunk: Buffer) => {
    if (!isOver) for (const line of splitter.push(chunk)) events.heard(line);
  });
  socket.on("error", (error) => {
    trouble = error.message;
  });
  // Half of a line is no use to anybody.
  socket.on("end", () => socket.end());
  socket.on("close", lose);
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isOver || !socket.writable) return reject(new Error("the connection is closed"));
        socket.write(`${message}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close() {
      trouble = "it was closed here";
      lose();
      socket.resume();
      socket.end();
      setTimeout(() => socket.destroy(), 1000).unref();
    },
  };
}
