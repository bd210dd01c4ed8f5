/** A line over a WebSocket: one message for each frame. */
import { isUtf8 } from "node:buffer";
import type { RawData, WebSocket } from "ws";
import {
  ConnectFailure,
  connectFailure,
  type RemoteAddress,
  type RemoteEvents,
  type RemoteLimits,
  type RemoteLink,
} from "./remote-link.ts";

/** Statuses of a server or a proxy that may be better in a moment. */
const PASSING_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Rejects with a ConnectFailure. */
export async function connectWebSocket(
  { url, headers }: RemoteAddress,
  limits: RemoteLimits,
  events: RemoteEvents,
  signal?: AbortSignal,
): Promise<RemoteLink> {
  const { WebSocket } = await import("ws");
  signal?.throwIfAborted();
  const socket = new WebSocket(url, {
    headers,
    maxPayload: limits.maxMessageBytes,
    handshakeTimeout: limits.attemptMs,
    perMessageDeflate: false,
    followRedirects: false,
  });
  // The first messages may come with the answer to the handshake.
  const link = attach(socket, limits, events);
  const opened = Promise.withResolvers<void>();
  const abort = () => opened.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  socket.once("open", () => opened.resolve());
  socket.once("error", (error) => opened.reject(connectFailure(error)));
  socket.once("close", () => opened.reject(new ConnectFailure("it was closed at once", { mayPass: true })));
  socket.once("unexpected-response", (_request, { statusCode = 0, statusMessage }) => {
    const mayPass = PASSING_STATUS.has(statusCode);
    opened.reject(new ConnectFailure(`it answered ${statusCode} ${statusMessage}`, { mayPass }));
    socket.terminate();
  });
  try {
    await opened.promise;
    return link;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function attach(socket: WebSocket, { pingMs }: RemoteLimits, events: RemoteEvents): RemoteLink {
  let isOpen = false;
  let isOver = false;
  let isPaused = false;
  let unanswered = 0;
  let trouble: string | undefined;
  const lose = (reason: string) => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    if (isOpen) events.lost(trouble ?? reason);
  };
  const isThere = () => {
    unanswered = 0;
  };
  const timer = setInterval(() => {
    // While nothing is read, no answer is read either.
    if (!isOpen || isPaused) return;
    if (unanswered >= 2) {
      trouble = "it does not answer any more";
      return socket.terminate();
    }
    unanswered += 1;
    socket.ping();
  }, pingMs).unref();
  socket.on("open", () => {
    isOpen = true;
  });
  socket.on("pong", isThere);
  socket.on("message", (data: RawData, isBinary) => {
    isThere();
    if (isOver) return;
    const bytes = data as Buffer;
    if (isBinary && !isUtf8(bytes)) events.heard({ kind: "binary", bytes });
    else events.heard({ kind: "line", text: bytes.toString("utf8") });
  });
  socket.on("error", (error) => {
    trouble ??= error.message;
  });
  socket.on("close", (code, reason) => {
    const said = reason.toString("utf8").slice(0, 200);
    lose(`it was closed with ${code}${said && ` (${said})`}`);
  });
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isOver || socket.readyState !== socket.OPEN) return reject(new Error("the connection is closed"));
        socket.send(message, (error) => (error ? reject(error) : resolve()));
      }),
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      isPaused = false;
      unanswered = 0;
      socket.resume();
    },
    close() {
      lose("it was closed here");
      socket.resume();
      socket.close(1000);
      // A server that does not answer is not waited for.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}
