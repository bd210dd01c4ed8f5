/**
 * Requests that ask for a WebSocket. Each goes through the app like any other, so the same guard, logs and problems
 * apply; a route for a channel then takes the connection over.
 */
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { InterlinguaError } from "../../core/error.ts";
import { problemResponse } from "../answers/error-response.ts";
import { isUnder } from "../dialects/dialect-path.ts";
import { SECURITY_HEADERS } from "../guard/security-headers.ts";
import { Admission } from "../listen/admission.ts";
import type { RequestCounts } from "../listen/http-listener.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Upgrade {
  readonly socket: Duplex;
  /** What the client sent after its request. */
  readonly head: Buffer;
}

export class Upgrades {
  readonly #waiting = new WeakMap<IncomingMessage, Upgrade>();
  readonly #upgrades = new WeakSet<IncomingMessage>();
  readonly #sockets = new Set<Duplex>();
  readonly #paths: readonly string[];
  readonly #admission: Admission;

  /**
   * All requests for a WebSocket at or below these paths are upgrades. Others are answered as if they asked for none. No more
   * than `maxWaiting` wait for their turn.
   */
  constructor(paths: readonly string[], maxWaiting: number) {
    this.#paths = paths;
    this.#admission = new Admission(maxWaiting);
  }

  wants({ headers, url = "" }: IncomingMessage): boolean {
    if (headers.upgrade?.toLowerCase() !== "websocket") return false;
    const path = url.split("?", 1)[0]!;
    return this.#paths.some((base) => isUnder(path, base));
  }

  /** Answers upgrades of a server with its app. */
  serve(server: Server, answer: Answer, requests: RequestCounts): void {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      requests.count += 1;
      requests.open += 1;
      this.#sockets.add(socket);
      socket.once("close", () => {
        requests.open -= 1;
        this.#sockets.delete(socket);
      });
      // A client that leaves during the handshake.
      socket.on("error", () => socket.destroy());
      this.#upgrades.add(request);
      this.#waiting.set(request, { socket, head });
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as never);
      response.once("finish", () => {
        response.detachSocket(socket as never);
        socket.end(() => socket.destroy());
      });
      const isAdmitted = this.#admission.add(() => {
        if (!socket.destroyed) answer(request, response);
        return !socket.destroyed;
      });
      if (!isAdmitted) refuse(response);
    });
  }

  /** Whether the connection of this request can become a WebSocket: Node took it for an upgrade, and `wants` agreed. */
  isUpgrade(request: IncomingMessage): boolean {
    return this.#upgrades.has(request);
  }

  /** Upgrades that wait for their turn. */
  get waiting(): number {
    return this.#admission.waiting;
  }

  /** Hands the connection to the caller: there will be no answer. Undefined if the client has left. */
  take(request: IncomingMessage, response: ServerResponse): Upgrade | undefined {
    const upgrade = this.#waiting.get(request);
    this.#waiting.delete(request);
    if (!upgrade || upgrade.socket.destroyed) return undefined;
    response.detachSocket(upgrade.socket as never);
    return upgrade;
  }

  /** Node does not know of them any more, so it does not close them. */
  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function refuse(response: ServerResponse): void {
  const { status, headers, body } = problemResponse(
    new InterlinguaError(
      "too_many_requests",
      "Too many sockets are being opened at once. Wait, then open them one after the other.",
      { retryAfterSeconds: 1 },
    ),
  );
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers });
  response.end(JSON.stringify(body));
}
