/** Plays a reply to one client: beats in order, with their pace, silences and faults. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { TokenUsage } from "../../core/usage.ts";
import type { ModelApi, ModelRequest, ReplyEnding, ReplyOptions, ReplyStream } from "./model-api.ts";
import { type ContentBeat, isContent, type Reply, type ScriptedError, type StopReason } from "./script.ts";

const USUAL_USAGE: TokenUsage = { input: 11, output: 7 };

export interface Performance {
  readonly api: ModelApi;
  readonly request: ModelRequest;
  readonly reply: Reply;
  readonly response: ServerResponse;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  newId(prefix: string): string;
  /** Resolves when the gate is opened. */
  opened(gate: string): Promise<void>;
}

/** Rejects with the signal's reason when the client leaves. */
export async function playReply(performance: Performance): Promise<"answered" | "failed"> {
  const player = performance.request.streams
    ? new StreamingPlayer(performance)
    : new WholePlayer(performance);
  let gapMs = 0;
  for (const beat of performance.reply) {
    if (beat.beat === "slow") gapMs = beat.gapMs;
    else if (beat.beat === "hang") await unlessAborted(performance.opened(beat.gate), performance.signal);
    else if (isContent(beat)) await player.content(beat, gapMs);
    else if (beat.beat === "http-error") return sendError(performance, beat.error, beat.headers);
    else if (beat.beat === "stream-error") return player.fail(beat.error);
    else if (beat.beat === "disconnect") return disconnect(performance.response);
  }
  await player.end(endingOf(performance.reply));
  return "answered";
}

interface Player {
  content(beat: ContentBeat, gapMs: number): Promise<void>;
  end(ending: ReplyEnding): Promise<void>;
  fail(error: ScriptedError): Promise<"failed">;
}

class StreamingPlayer implements Player {
  readonly #performance: Performance;
  readonly #stream: ReplyStream;

  constructor(performance: Performance) {
    this.#performance = performance;
    this.#stream = performance.api.createStream(replyOptions(performance));
  }

  async content(beat: ContentBeat, gapMs: number): Promise<void> {
    for (const frame of this.#stream.content(beat)) {
      if (gapMs > 0) await sleep(gapMs, undefined, { signal: this.#performance.signal });
      await this.#write(frame);
    }
  }

  async end(ending: ReplyEnding): Promise<void> {
    await this.#write(this.#stream.end(ending));
    this.#performance.response.end();
  }

  async fail(error: ScriptedError): Promise<"failed"> {
    await this.#write(this.#stream.fail(error));
    this.#performance.response.end();
    return "failed";
  }

  /** The head goes out with the first frame, so that a reply can fail before it. */
  async #write(frame: string): Promise<void> {
    const { response, signal } = this.#performance;
    signal.throwIfAborted();
    let head = "";
    if (!response.headersSent) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      head = this.#stream.start();
    }
    const written = new Promise<void>((resolve) => response.write(head + frame, () => resolve()));
    await unlessAborted(written, signal);
  }
}

class WholePlayer implements Player {
  readonly #performance: Performance;
  readonly #content: ContentBeat[] = [];

  constructor(performance: Performance) {
    this.#performance = performance;
  }

  async content(beat: ContentBeat, gapMs: number): Promise<void> {
    if (gapMs > 0) await sleep(gapMs, undefined, { signal: this.#performance.signal });
    this.#content.push(beat);
  }

  async end(ending: ReplyEnding): Promise<void> {
    const { api, response } = this.#performance;
    sendJson(response, 200, api.wholeReply(this.#content, ending, replyOptions(this.#performance)));
  }

  async fail(error: ScriptedError): Promise<"failed"> {
    return sendError(this.#performance, error);
  }
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function sendError({ api, response }: Performance, error: ScriptedError, headers = {}): "failed" {
  if (response.headersSent) throw new Error("an httpError has to be the first beat of its reply");
  sendJson(response, error.status, api.errorBody(error), headers);
  return "failed";
}

/** Not a reset: that could overtake what was written and has not been read. */
function disconnect(response: ServerResponse): "failed" {
  response.destroy();
  return "failed";
}

function replyOptions({ request, reply, newId }: Performance): ReplyOptions {
  return { model: request.model, body: request.body, usage: endingOf(reply).usage, newId };
}

function endingOf(reply: Reply): ReplyEnding {
  let reason: StopReason = reply.some(({ beat }) => beat === "tool-call") ? "tool-calls" : "end";
  let usage = USUAL_USAGE;
  for (const beat of reply) {
    if (beat.beat === "stop") reason = beat.reason;
    if (beat.beat === "usage") usage = { ...USUAL_USAGE, ...beat.usage };
  }
  return { reason, usage };
}

async function unlessAborted(happening: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    await Promise.race([happening, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
