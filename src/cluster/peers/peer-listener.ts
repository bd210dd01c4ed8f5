/**
 * Where other nodes call this one: an address of its own, apart from that of clients. Everything that is not signed by a node
 * of this cluster is answered with 401 and nothing else, before its body is read. What does not try to be signed comes from a
 * client that took the wrong port, and is told so.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ERROR_CODES, InterlinguaError } from "../../core/error.ts";
import { type EncodedAnswer, encodeProblem, encodeResult, UNKNOWN_PATH } from "./encoded-answer.ts";
import { joinBodies } from "./join-bodies.ts";
import type { PeerRoutes } from "./peer-transport.ts";
import { BodyTooLargeError, readBody } from "./read-body.ts";
import type { Refusal, RequestChecker } from "./request-checker.ts";
import {
  digestOf,
  isSameSignature,
  type SignedRequest,
  signAnswer,
  UNSIGNED_BODY,
} from "./request-signature.ts";
import { ANSWER_SIGNATURE, isSignedScheme, readRequestHeaders } from "./signature-headers.ts";

export interface PeerListenerOptions {
  /** All addresses of this machine when absent. */
  host?: string;
  /** 0 picks a free one. */
  port: number;
  /** HTTPS where present. */
  tls?: { cert: Buffer; key: Buffer };
  /** That of the signatures. */
  key: Buffer;
  checker: RequestChecker;
  /** Whether the table of nodes has this one as living. */
  isLiving(node: number): Promise<boolean>;
  logger: PeerLogger;
  /** Of the body of a call. */
  maxBodyBytes?: number;
}

export interface PeerLogger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Prompts of clients have 16 MB at most, unless the config says otherwise. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;
const BODY_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 4096;

/** Between two lines about refused requests. */
const REFUSALS_PAUSE_MS = 60_000;

/** Calls under way get this long when the node closes. */
const CLOSE_GRACE_MS = 5000;

type CallHandler = (body: unknown, from: number) => Promise<unknown>;
type OpenHandler = (duplex: Duplex, from: number) => void;

export class PeerListener implements PeerRoutes {
  readonly #options: PeerListenerOptions;
  readonly #server: Server;
  readonly #calls = new Map<string, CallHandler>();
  readonly #opens = new Map<string, OpenHandler>();
  readonly #streams = new Set<Duplex>();
  readonly #refusals = new Map<Refusal, number>();
  #refusalsTold: NodeJS.Timeout | undefined;

  private constructor(options: PeerListenerOptions) {
    this.#options = options;
    const settings = {
      headersTimeout: 10_000,
      // Streams are requests that do not end; bodies of calls have a time of their own.
      requestTimeout: 0,
      keepAliveTimeout: 60_000,
      maxHeaderSize: 8 * 1024,
      ...options.tls,
    };
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response);
    this.#server = options.tls ? createSecureServer(settings, answer) : createServer(settings, answer);
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("clientError", (_error, socket: Socket) => socket.destroy());
    this.#server.on("checkContinue", (_request, response: ServerResponse) => refuse(response));
  }

  /** Rejects when it cannot listen. */
  static async listen(options: PeerListenerOptions): Promise<PeerListener> {
    const listener = new PeerListener(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const server = listener.#server;
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, resolve);
    await promise;
    server.off("error", reject);
    // Such as too many open files: it goes on to listen.
    server.on("error", (error) =>
      options.logger.error({ err: error }, "a connection of another node could not be taken"),
    );
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  onCall(path: string, handler: CallHandler): void {
    this.#calls.set(`/call${path}`, handler);
  }

  onOpen(path: string, handler: OpenHandler): void {
    this.#opens.set(`/open${path}`, handler);
  }

  /** Ends streams, and waits a moment for calls under way. Never rejects. */
  async close(): Promise<void> {
    clearTimeout(this.#refusalsTold);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const stream of this.#streams) stream.destroy();
    this.#server.closeIdleConnections();
    const deadline = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearTimeout(deadline);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => {});
    response.on("error", () => {});
    const { method = "", url: path = "" } = request;
    const given = readRequestHeaders(request.headers, { method, path });
    const refusal = method === "POST" ? this.#options.checker.check(given) : "no signature";
    // Signed with our secret: whoever runs both nodes has to know.
    if (refusal === "another database") {
      this.#note(refusal);
      response.setHeader("connection", "close");
      return this.#send(response, given!.request, encodeProblem(anotherDatabase()));
    }
    if (refusal || !given) {
      this.#note(refusal ?? "no signature");
      return isSignedScheme(request.headers) ? refuse(response) : sendAway(response);
    }
    const signed = given.request;
    if (!(await this.#options.isLiving(signed.from))) {
      this.#note("not from a living node");
      return refuse(response);
    }
    try {
      if (signed.digest === UNSIGNED_BODY) return this.#open(request, response, signed);
      const body = await readBody(request, {
        maxBytes: this.#options.maxBodyBytes ?? MAX_BODY_BYTES,
        timeoutMs: BODY_TIMEOUT_MS,
      });
      if (!isSameSignature(digestOf(body), signed.digest)) {
        this.#note("wrong signature");
        return refuse(response);
      }
      this.#send(response, signed, await this.#call(path, body, signed.from));
    } catch (error) {
      // Else the connection is gone.
      if (!(error instanceof BodyTooLargeError)) return void response.destroy();
      response.setHeader("connection", "close");
      this.#send(response, signed, encodeProblem(bodyTooLarge()));
    }
  }

  async #call(path: string, body: Buffer, from: number): Promise<EncodedAnswer> {
    const handler = this.#calls.get(path);
    if (!handler) return { status: UNKNOWN_PATH, body: "{}" };
    try {
      return encodeResult(await handler(JSON.parse(body.toString()), from));
    } catch (error) {
      const answer = encodeProblem(error);
      if (answer.status === 500)
        this.#options.logger.error({ err: error, path }, "a call of another node failed");
      return answer;
    }
  }

  #open(request: IncomingMessage, response: ServerResponse, signed: SignedRequest): void {
    const handler = this.#opens.get(signed.path);
    if (!handler) {
      response.setHeader("connection", "close");
      return this.#send(response, signed, { status: UNKNOWN_PATH, body: "{}" });
    }
    const signature = signAnswer(this.#options.key, {
      nonce: signed.nonce,
      status: 200,
      digest: UNSIGNED_BODY,
    });
    response.writeHead(200, {
      "content-type": "application/octet-stream",
      [ANSWER_SIGNATURE]: signature,
    });
    response.flushHeaders();
    const duplex = joinBodies(request, response);
    this.#streams.add(duplex);
    duplex.on("close", () => this.#streams.delete(duplex));
    handler(duplex, signed.from);
  }

  #send(response: ServerResponse, { nonce }: SignedRequest, { status, body }: EncodedAnswer): void {
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      [ANSWER_SIGNATURE]: signAnswer(this.#options.key, { nonce, status, digest: digestOf(body) }),
    });
    response.end(body);
  }

  /** At most one line a minute: whoever knocks cannot fill the log. */
  #note(refusal: Refusal): void {
    this.#refusals.set(refusal, (this.#refusals.get(refusal) ?? 0) + 1);
    if (this.#refusalsTold) return;
    const tell = () => {
      this.#refusalsTold = undefined;
      if (this.#refusals.size === 0) return;
      const refused = Object.fromEntries(this.#refusals);
      this.#refusals.clear();
      this.#options.logger.warn({ refused }, "requests at the address of this node were refused");
      this.#refusalsTold = setTimeout(tell, REFUSALS_PAUSE_MS).unref();
    };
    tell();
  }
}

function bodyTooLarge(): InterlinguaError {
  const detail = "This is too large to be given to the node that has the session. Send less at once.";
  return new InterlinguaError("body_too_large", detail);
}

function anotherDatabase(): InterlinguaError {
  const detail =
    "The node that was called works with another database than the node that called it: one is a copy of the other, or has replaced it. Nothing was done. Restart the node that you called.";
  return new InterlinguaError("node_unreachable", detail, { retryAfterSeconds: 10 });
}

/** The same for every path, method and token: it tells nothing but what this port is not for. */
const NOT_FOR_CLIENTS = JSON.stringify({
  type: "urn:interlingua:error:forbidden",
  title: ERROR_CODES.forbidden.title,
  status: ERROR_CODES.forbidden.status,
  detail: "This port is for other nodes. Clients call the address that serve printed, or a load balancer.",
  code: "forbidden",
});

function sendAway(response: ServerResponse): void {
  response.writeHead(ERROR_CODES.forbidden.status, {
    connection: "close",
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(NOT_FOR_CLIENTS),
  });
  response.end(NOT_FOR_CLIENTS);
}

/** Of a body that is still coming nothing is read. */
function refuse(response: ServerResponse): void {
  response.writeHead(401, { connection: "close", "content-length": 0 }).end();
}
