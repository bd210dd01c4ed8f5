/**
 * One open response, mostly of server-sent events. It tracks what waits in its socket and says when to stop writing.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Principal } from "../../core/principal.ts";
import type { SharedFrames } from "../../dialects/dialect.ts";
import { commentFrame } from "../../protocol/sse-frame.ts";
import { CloseListeners } from "./close-listeners.ts";
import { type Frame, frameOf } from "./frame.ts";
import type { OpenStream } from "./open-stream.ts";
import { isEventStream, streamHeaders } from "./sse-headers.ts";
import type { StreamCounters } from "./stream-counters.ts";

export class EventStream implements OpenStream {
  readonly caller: Principal;
  /** Nothing was written since the last keep-alive sweep. */
  #isQuiet = false;
  /** The last frame of a stream that is cut off, with the reason; a comment by default. */
  closingFrame: (reason: string) => string;
  /** Whether its format has comments, and its clients take them. */
  readonly #hasComments: boolean;
  readonly #response: ServerResponse;
  /** Written to directly if the body is chunked; otherwise the response frames the bytes. */
  readonly #socket: Socket | undefined;
  readonly #counters: StreamCounters;
  #isOpen = true;
  readonly #onClose = new CloseListeners();

  /** Sends the headers and, where there are comments, a first one at once, so that a client knows that it is connected. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Principal,
    headers: OutgoingHttpHeaders,
    counters: StreamCounters,
    kind?: Readonly<Record<string, string>>,
    hasComments = true,
  ) {
    this.#response = response;
    this.caller = caller;
    this.#counters = counters;
    const own = streamHeaders(kind);
    this.#hasComments = hasComments && isEventStream(own);
    this.closingFrame = this.#hasComments ? commentFrame : () => "";
    if (response.destroyed) {
      this.#close();
      return;
    }
    response.writeHead(200, { ...headers, ...own });
    response.flushHeaders();
    // A pipelined request has no socket yet, and HTTP/1.0 has no chunks: both go through the response, which is slower.
    const isChunked = request.httpVersion === "1.1" && response.chunkedEncoding;
    this.#socket = isChunked ? (response.socket ?? undefined) : undefined;
    response.on("close", () => this.#close());
    response.on("error", () => this.#close());
    this.#comment("connected");
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
    // An empty chunk would end the response.
    if (!this.#isOpen || frame.plain.length === 0) return;
    this.#isQuiet = false;
    if (this.#socket) this.#socket.write(frame.chunked);
    else this.#response.write(frame.plain);
    this.#counters.wrote(frame.plain.length, this.queuedBytes);
  }

  writeText(text: string): void {
    this.write(frameOf(text));
  }

  writeFrames({ joined }: SharedFrames): void {
    this.write(joined);
  }

  /** A stream that was quiet for one whole sweep gets a comment. */
  keepAlive(): void {
    // A comment behind unsent bytes would only make the queue longer.
    if (this.#isQuiet && this.queuedBytes === 0) this.#comment("keep-alive");
    this.#isQuiet = true;
  }

  #comment(text: string): void {
    if (this.#hasComments) this.writeText(commentFrame(text));
  }

  /**
   * Calls `listener` whenever a full stream has drained, and sometimes more often. Returns a function that
   * unsubscribes.
   */
  onDrain(listener: () => void): () => void {
    const target = this.#socket ?? this.#response;
    const off = () => target.off("drain", listener);
    target.on("drain", listener);
    const forget = this.onClose(off);
    return () => {
      off();
      forget();
    };
  }

  /** Calls `listener` once, when the client left or the stream ended; at once if it already has. */
  onClose(listener: () => void): () => void {
    return this.#onClose.add(listener);
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
    this.#onClose.close();
  }
}
