/** Calls of other nodes over HTTP, signed with the secret of the cluster. Connections are kept for the next call. */
import { randomBytes } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import { errorText } from "../../core/error-text.ts";
import type { NodeAddress } from "../../core/ownership.ts";
import { assertCallable } from "./assert-callable.ts";
import { decodeAnswer, UNKNOWN_PATH } from "./encoded-answer.ts";
import { joinBodies } from "./join-bodies.ts";
import { type CallKind, PeerAgents } from "./peer-agents.ts";
import { type CallOptions, type PeerTransport, PeerUnreachableError } from "./peer-transport.ts";
import { readBody } from "./read-body.ts";
import {
  digestOf,
  isSameSignature,
  type SignedRequest,
  signAnswer,
  signRequest,
  UNSIGNED_BODY,
} from "./request-signature.ts";
import { ANSWER_SIGNATURE, requestHeaders } from "./signature-headers.ts";

export interface HttpPeerTransportOptions {
  /** That of the signatures. */
  key: Buffer;
  /** The number of this node. */
  node(): number;
  /** The id of its database. */
  database(): string;
  /** Whose certificates are trusted, instead of the usual ones. */
  ca?: string | Buffer;
  /** Others may be called without TLS off the loopback. */
  isInsecure?: boolean;
  /** For each node, of each kind of calls. */
  maxConnections?: number;
  connectTimeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** A node whose machine is gone answers nothing at all. */
const CONNECT_TIMEOUT_MS = 5000;

/** A list of waiting prompts may have 64 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** What may take longer does not hold up the others. */
const LONG_MS = 2 * 60_000;

/** What refuses a request before anything is done. */
const REFUSED = 401;

/** A request under way. */
interface Sent {
  request: ClientRequest;
  signed: SignedRequest;
  answer: Promise<IncomingMessage>;
  /** Nobody waits for it any more. */
  stop(reason: string): void;
}

export class HttpPeerTransport implements PeerTransport {
  readonly #options: HttpPeerTransportOptions;
  readonly #agents: PeerAgents;

  constructor(options: HttpPeerTransportOptions) {
    this.#options = options;
    this.#agents = new PeerAgents(options);
  }

  async call(
    node: NodeAddress,
    path: string,
    body: unknown,
    { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: CallOptions = {},
  ): Promise<unknown> {
    const text = JSON.stringify(body) ?? "null";
    const kind = timeoutMs > LONG_MS ? "long" : "short";
    const { request, signed, answer, stop } = this.#send(node, `/call${path}`, digestOf(text), kind);
    const timer = setTimeout(() => stop("It did not answer in time."), timeoutMs);
    const onAbort = () => stop("It is not waited for any more.");
    signal?.addEventListener("abort", onAbort);
    try {
      request.setHeader("content-type", "application/json");
      request.setHeader("content-length", Buffer.byteLength(text));
      request.end(text);
      const message = await answer;
      return await this.#read(message, signed, timeoutMs, node);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async open(node: NodeAddress, path: string): Promise<Duplex> {
    const { request, signed, answer, stop } = this.#send(node, `/open${path}`, UNSIGNED_BODY, "stream");
    const timer = setTimeout(() => stop("It did not answer in time."), DEFAULT_TIMEOUT_MS);
    try {
      request.flushHeaders();
      const message = await answer;
      if (message.statusCode !== 200) {
        request.end();
        await this.#read(message, signed, DEFAULT_TIMEOUT_MS, node);
        throw unreachable(node, new Error("It gave no stream."), true);
      }
      if (!this.#isSigned(message, signed, UNSIGNED_BODY)) {
        request.destroy();
        throw notSigned(node, message);
      }
      return joinBodies(message, request);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends all connections. Calls under way fail, as if the node did not answer; so do streams that are still open. */
  close(): void {
    this.#agents.close();
  }

  #send(node: NodeAddress, path: string, digest: string, kind: CallKind): Sent {
    assertCallable(node, this.#options);
    const url = new URL(path, node.url);
    const signed: SignedRequest = {
      method: "POST",
      path,
      from: this.#options.node(),
      to: node.id,
      database: this.#options.database(),
      at: Date.now(),
      nonce: randomBytes(16).toString("hex"),
      digest,
    };
    const headers = requestHeaders(signed, signRequest(this.#options.key, signed));
    const isSecure = url.protocol === "https:";
    const options = { method: "POST", headers, agent: this.#agents.get(kind, isSecure) };
    const request = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request.on("response", resolve);
    let isConnected = false;
    let connecting: NodeJS.Timeout | undefined;
    const fail = (error: Error) => {
      clearTimeout(connecting);
      reject(unreachable(node, error, isConnected));
    };
    const stop = (reason: string) => {
      const error = new Error(reason);
      request.destroy(error);
      // One that waits for a connection says nothing.
      fail(error);
    };
    // Not before: until then it may wait for one of the connections that others use.
    request.on("socket", (socket) => {
      connecting = setTimeout(
        () => stop("No connection could be made."),
        this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      );
      const connected = () => {
        isConnected = true;
        clearTimeout(connecting);
      };
      // The time of an unused connection is not that of a call.
      socket.setTimeout(0);
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", connected);
      else connected();
    });
    // After the answer began, its reader is told by the message.
    request.on("error", fail);
    request.on("close", () => clearTimeout(connecting));
    // Whoever has stopped waiting does not have to catch it.
    answer.catch(() => {});
    return { request, signed, answer, stop };
  }

  async #read(
    message: IncomingMessage,
    signed: SignedRequest,
    timeoutMs: number,
    node: NodeAddress,
  ): Promise<unknown> {
    const body = await readBody(message, { maxBytes: MAX_ANSWER_BYTES, timeoutMs }).catch((error) => {
      message.destroy();
      throw unreachable(node, error, true);
    });
    if (!this.#isSigned(message, signed, digestOf(body))) throw notSigned(node, message);
    if (message.statusCode === UNKNOWN_PATH)
      throw unreachable(node, new Error("It does not take this call, or not yet."), false);
    return decodeAnswer({ status: message.statusCode!, body: body.toString() });
  }

  #isSigned(message: IncomingMessage, { nonce }: SignedRequest, digest: string): boolean {
    const given = message.headers[ANSWER_SIGNATURE];
    const right = signAnswer(this.#options.key, { nonce, status: message.statusCode!, digest });
    return typeof given === "string" && isSameSignature(given, right);
  }
}

function unreachable(node: NodeAddress, error: unknown, mayHaveArrived: boolean): PeerUnreachableError {
  const reason = errorText(error);
  const message = `The node "${node.name}" (number ${node.id}, ${node.url}) does not answer: ${reason}`;
  return new PeerUnreachableError(message, { mayHaveArrived, cause: error });
}

/**
 * A node that does not take ours for signed refuses it before it does anything. All else comes from something in between,
 * which may have passed it on before it gave up.
 */
function notSigned(node: NodeAddress, { statusCode }: IncomingMessage): PeerUnreachableError {
  const message = `What answers at ${node.url} is not the node "${node.name}" (number ${node.id}), has another secret, does not know this node as a living one, or its clock differs from ours by more than a minute. It answered ${statusCode}.`;
  return new PeerUnreachableError(message, { mayHaveArrived: statusCode !== REFUSED });
}
