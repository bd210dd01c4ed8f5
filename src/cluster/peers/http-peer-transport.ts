/** Calls of other nodes over HTTP, signed with the secret of the cluster. Connections are kept for the next call. */
import { randomBytes } from "node:crypto";
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import type { NodeAddress } from "../../core/ownership.ts";
import { decodeAnswer, UNKNOWN_PATH } from "./encoded-answer.ts";
import { joinBodies } from "./join-bodies.ts";
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
  /** Whose certificates are trusted besides the usual ones. */
  ca?: string | Buffer;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** A node whose machine is gone answers nothing at all. */
const CONNECT_TIMEOUT_MS = 5000;

/** A list of waiting prompts may have 64 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** For each node. Commands that take long and streams each have one. */
const CONNECTIONS = { maxSockets: 256, maxFreeSockets: 16 };

/** Shorter than the other side keeps one open, so that none is used that it is just closing. */
const IDLE_MS = 20_000;

/** A request under way. */
interface Sent {
  request: ClientRequest;
  signed: SignedRequest;
  answer: Promise<IncomingMessage>;
}

export class HttpPeerTransport implements PeerTransport {
  readonly #options: HttpPeerTransportOptions;
  readonly #http = new Agent({ keepAlive: true, timeout: IDLE_MS, ...CONNECTIONS });
  readonly #https: HttpsAgent;

  constructor(options: HttpPeerTransportOptions) {
    this.#options = options;
    const { ca } = options;
    this.#https = new HttpsAgent({ keepAlive: true, timeout: IDLE_MS, ...CONNECTIONS, ...(ca && { ca }) });
  }

  async call(
    node: NodeAddress,
    path: string,
    body: unknown,
    { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: CallOptions = {},
  ): Promise<unknown> {
    const text = JSON.stringify(body) ?? "null";
    const { request, signed, answer } = this.#send(node, `/call${path}`, digestOf(text));
    const timer = setTimeout(() => request.destroy(new Error("It did not answer in time.")), timeoutMs);
    const stop = () => request.destroy(new Error("It is not waited for any more."));
    signal?.addEventListener("abort", stop);
    try {
      request.setHeader("content-type", "application/json");
      request.setHeader("content-length", Buffer.byteLength(text));
      request.end(text);
      const message = await answer;
      return await this.#read(message, signed, timeoutMs, node);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  async open(node: NodeAddress, path: string): Promise<Duplex> {
    const { request, signed, answer } = this.#send(node, `/open${path}`, UNSIGNED_BODY);
    const timer = setTimeout(
      () => request.destroy(new Error("It did not answer in time.")),
      DEFAULT_TIMEOUT_MS,
    );
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
        throw notSigned(node);
      }
      return joinBodies(message, request);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends connections that nobody uses; streams are closed by those who opened them. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #send(node: NodeAddress, path: string, digest: string): Sent {
    const url = urlOf(node, path);
    const signed: SignedRequest = {
      method: "POST",
      path,
      from: this.#options.node(),
      to: node.id,
      at: Date.now(),
      nonce: randomBytes(16).toString("hex"),
      digest,
    };
    const headers = requestHeaders(signed, signRequest(this.#options.key, signed));
    const isSecure = url.protocol === "https:";
    const options = { method: "POST", headers, agent: isSecure ? this.#https : this.#http };
    const request = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request.on("response", resolve);
    let isConnected = false;
    const connecting = setTimeout(
      () => request.destroy(new Error("No connection could be made.")),
      CONNECT_TIMEOUT_MS,
    );
    request.on("socket", (socket) => {
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
    request.on("error", (error) => {
      clearTimeout(connecting);
      reject(unreachable(node, error, isConnected));
    });
    request.on("close", () => clearTimeout(connecting));
    // Whoever has stopped waiting does not have to catch it.
    answer.catch(() => {});
    return { request, signed, answer };
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
    if (!this.#isSigned(message, signed, digestOf(body))) throw notSigned(node);
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

function urlOf(node: NodeAddress, path: string): URL {
  if (node.url === undefined)
    throw new PeerUnreachableError(`The node "${node.name}" tells no address.`, { mayHaveArrived: false });
  return new URL(path, node.url);
}

function unreachable(node: NodeAddress, error: unknown, mayHaveArrived: boolean): PeerUnreachableError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The node "${node.name}" (number ${node.id}, ${node.url}) does not answer: ${reason}`;
  return new PeerUnreachableError(message, { mayHaveArrived, cause: error });
}

/** It did not take ours for signed, or is no node of this cluster; then it did nothing. */
function notSigned(node: NodeAddress): PeerUnreachableError {
  const message = `What answers at ${node.url} is not the node "${node.name}" (number ${node.id}), has another secret, or its clock differs from ours by more than a minute.`;
  return new PeerUnreachableError(message, { mayHaveArrived: false });
}
