/** One open response, mostly of server-sent events. It counts what waits in its socket and says when to stop writing. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Sink } from "../../dialects/dialect.ts";
import { commentFrame, EVENT_STREAM_HEADERS } from "../../protocol/sse-frame.ts";
import { type Frame, frameOf } from "./frame.ts";
import type { StreamCounters } from "./stream-counters.ts";

export class EventStream implements Sink {
  /** Nothing was written since the keep-alive sweep last came by. */
  isQuiet = false;
  /** How a stream that is cut off says why; a comment unless it is told otherwise. */
  closingFrame: (reason: string) => string;
  /** Whether it is of a kind that has comments. */
  readonly #hasComments: boolean;
  readonly #response: ServerResponse;
  /** Written to directly when the body is chunked; otherwise the response does its own framing. */
  readonly #socket: Socket | undefined;
  readonly #counters: StreamCounters;
  #isOpen = true;
  readonly #onClose: (() => void)[] = [];

  /** Sends the headers and a first comment at once, so that a client knows that it is connected. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    headers: OutgoingHttpHeaders,
    counters: StreamCounters,
    kind: Readonly<Record<string, string>> = EVENT_STREAM_HEADERS,
  ) {
    this.#response = response;
    this.#counters = counters;
    this.#hasComments = kind["content-type"]?.startsWith("text/event-stream") ?? false;
    this.closingFrame = this.#hasComments ? commentFrame : () => "";
    if (response.destroyed) {
      this.#isOpen = false;
      return;
    }
    response.writeHead(200, { ...headers, ...kind });
    response.flushHeaders();
    // A pipelined request has no socket yet, HTTP/1.0 no chunks: both take the slower way through the response.
    const isChunked = request.httpVersion === "1.1" && response.chunkedEncoding;
    this.#socket = isChunked ? (response.socket ?? undefined) : undefined;
    response.on("close", () => this.#close());
    response.on("error", () => this.#close());
    this.comment("connected");
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes the peer has not taken yet. */
  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  /** Whether the writer has to wait for `onDrain`. */
  get isFull(): boolean {
    const target = this.#socket ?? this.#response;
    return target.writableLength >= target.writableHighWaterMark;
  }

  write(frame: Frame): void {
    if (!this.#isOpen) return;
    this.isQuiet = false;
    if (this.#socket) this.#socket.write(frame.chunked);
    else this.#response.write(frame.plain);
    this.#counters.wrote(frame.plain.length, this.queuedBytes);
  }

  writeText(text: string): void {
    this.write(frameOf(text));
  }

  comment(text: string): void {
    if (this.#hasComments) this.writeText(commentFrame(text));
  }

  /** Called whenever a full stream has been emptied, and sometimes without need. Returns what ends that. */
  onDrain(listener: () => void): () => void {
    const target = this.#socket ?? this.#response;
    const stop = () => target.off("drain", listener);
    target.on("drain", listener);
    this.onClose(stop);
    return stop;
  }

  /** Calls `listener` once, when the client left or the stream ended; at once if it already has. */
  onClose(listener: () => void): void {
    if (this.#isOpen) this.#onClose.push(listener);
    else listener();
  }

  /** Ends it after what was written. The client is told the `reason`. */
  end(reason?: string): void {
    if (!this.#isOpen) return;
    if (reason !== undefined) this.writeText(this.closingFrame(reason));
    this.#close();
    this.#response.end();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const listener of this.#onClose.splice(0)) listener();
  }
}
