/**
 * A client of several nodes: each request goes to one of them at random, and to another while that one is away, cannot
 * answer now or does not have the session. Streams that break end, so that whoever reads them comes back with its cursor.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Random } from "../../../src/testkit/random.ts";
import { SmithyClient } from "../../agentsmithy/smithy-client.ts";
import { DaemonClient } from "../../daemon-client.ts";

export interface NodeAccess {
  readonly url: string;
  readonly token: string;
}

/** Not now, or not here. */
const TRY_ELSEWHERE = new Set([421, 429, 502, 503, 504, 507]);

/** A node that is stopped says nothing. */
const ANSWER_MS = 6000;
const PAUSE_MS = 30;

export class WanderingClient extends DaemonClient {
  readonly #nodes: () => readonly NodeAccess[];
  readonly #random: Random;
  /** How often each status, or no answer at all, sent it to another node. */
  readonly refusals: Record<string, number> = {};
  #isClosed = false;

  constructor(nodes: () => readonly NodeAccess[], random: Random) {
    super({ url: "http://nowhere", token: "" });
    this.#nodes = nodes;
    this.#random = random;
  }

  /** What still waits fails. */
  close(): void {
    this.#isClosed = true;
  }

  override request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  async fetch(path: string, options: RequestInit): Promise<Response> {
    while (!this.#isClosed) {
      options.signal?.throwIfAborted();
      const response = await this.#attempt(path, options);
      if (response && !TRY_ELSEWHERE.has(response.status)) return response;
      this.#count(response ? await reasonOf(response) : "no answer");
      await sleep(PAUSE_MS);
    }
    throw new Error("the client is closed");
  }

  /** Undefined where there was no answer, or not all of it. */
  async #attempt(path: string, options: RequestInit): Promise<Response | undefined> {
    const { url, token } = this.#random.pick(this.#nodes());
    const answering = new AbortController();
    const timer = setTimeout(() => answering.abort(), ANSWER_MS);
    const signal = AbortSignal.any([answering.signal, ...(options.signal ? [options.signal] : [])]);
    try {
      const headers = { ...(options.headers as Record<string, string>), authorization: `Bearer ${token}` };
      const response = await fetch(`${url}${path}`, { ...options, headers, signal });
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      if (isStream) return new Response(endingQuietly(response.body!), response);
      return new Response(response.status === 204 ? null : await response.text(), response);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  override openSocket(path: string): WebSocket {
    const { url, token } = this.#random.pick(this.#nodes());
    const headers = { authorization: `Bearer ${token}` };
    return new WebSocket(`${url.replace(/^http/, "ws")}${path}`, { headers, handshakeTimeout: ANSWER_MS });
  }

  #count(what: string): void {
    this.refusals[what] = (this.refusals[what] ?? 0) + 1;
  }
}

/** One of AgentSmithy's dialect. */
export class WanderingSmithy extends SmithyClient {
  override readonly fetch: SmithyClient["fetch"];

  constructor(client: WanderingClient) {
    super("");
    this.fetch = (path, options = {}) => client.fetch(`/agentsmithy${path}`, options);
  }
}

async function reasonOf(response: Response): Promise<string> {
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  return `${response.status} ${code ?? ""}`.trim();
}

function endingQuietly(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
