/**
 * Reads an event stream over a bare socket and finds the fast agent's chunks in its bytes. The same for every gateway, and
 * as cheap as it can be: it shares the machine with what it measures.
 */
import { connect, type Socket } from "node:net";
import { clock } from "../harness/clock.ts";
import { MARK_LENGTH, markMoment, markNumber, nextMark } from "./chunk-text.ts";
import type { StreamAddress } from "./gateway.ts";

/** Longer than any mark, so that one that is cut in two is found. */
const OVERLAP = 80;
/** Shared by all readers: what was read is looked through before the next read. */
const PIECE = Buffer.allocUnsafe(64 * 1024 + OVERLAP);

export interface ReaderOptions {
  /** Called with each piece of text as it comes; the ends of pieces overlap. */
  onText?(text: string): void;
  /** Note the latency of every chunk. */
  latencies?: boolean;
  /** Note the number of the newest event. */
  eventIds?: boolean;
  /** Take up after this event: what a client does that lost its connection. */
  lastEventId?: number;
}

export class StreamReader {
  /** How many different chunks came, in which order does not matter. */
  chunks = 0;
  /** Chunks that came after one with a higher number, or twice. */
  disorder = 0;
  bytes = 0;
  turns = 0;
  firstChunkAt = 0;
  lastChunkAt = 0;
  lastEventId = 0;
  readonly latencies: number[] = [];
  readonly socket: Socket;
  readonly #options: ReaderOptions;
  readonly #end: Buffer;
  readonly #rest = Buffer.alloc(OVERLAP);
  #restLength = 0;
  #last = 0;
  #listener: (() => void) | undefined;

  private constructor(address: StreamAddress, options: ReaderOptions) {
    const { hostname, port } = new URL(address.url);
    this.#options = options;
    this.#end = Buffer.from(address.end);
    this.socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: PIECE.subarray(OVERLAP),
        callback: (length) => {
          this.#read(length);
          return true;
        },
      },
    });
  }

  /** Resolves when the gateway has answered: nothing said later is missed. */
  static async open(address: StreamAddress, options: ReaderOptions = {}): Promise<StreamReader> {
    const reader = new StreamReader(address, options);
    const { lastEventId } = options;
    const path = lastEventId === undefined ? address.path : address.path.split("?")[0];
    const resumption = lastEventId === undefined ? "" : `Last-Event-ID: ${lastEventId}\r\n`;
    const authorization = address.token === undefined ? "" : `Authorization: Bearer ${address.token}\r\n`;
    reader.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${new URL(address.url).host}\r\nAccept: text/event-stream\r\n${authorization}${resumption}\r\n`,
    );
    await new Promise<void>((resolve, reject) => {
      reader.socket.on("error", reject);
      reader.#listener = resolve;
    });
    reader.#listener = undefined;
    return reader;
  }

  close(): void {
    this.socket.destroy();
  }

  /** Begins to count anew. */
  reset(): void {
    this.chunks = 0;
    this.disorder = 0;
    this.turns = 0;
    this.firstChunkAt = 0;
    this.latencies.length = 0;
  }

  /** Resolves when it holds, and in any case when nothing has come for so long. */
  async until(condition: () => boolean, quietMs = 2000): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    let before = this.bytes;
    const timer = setInterval(() => {
      if (this.bytes === before) resolve();
      before = this.bytes;
    }, quietMs);
    this.#listener = () => condition() && resolve();
    await promise;
    this.#listener = undefined;
    clearInterval(timer);
  }

  #read(length: number): void {
    if (this.bytes === 0) this.#checkStatus();
    this.bytes += length;
    this.#rest.copy(PIECE, OVERLAP - this.#restLength, 0, this.#restLength);
    const piece = PIECE.subarray(OVERLAP - this.#restLength, OVERLAP + length);
    this.#countChunks(piece);
    this.#countEnds(piece);
    if (this.#options.eventIds) this.#noteEventId(piece);
    this.#options.onText?.(piece.toString("latin1"));
    this.#restLength = piece.copy(this.#rest, 0, Math.max(0, piece.length - OVERLAP));
    this.#listener?.();
  }

  #checkStatus(): void {
    const status = PIECE.toString("latin1", OVERLAP, OVERLAP + 12);
    if (!status.endsWith("200")) this.socket.destroy(new Error(`the stream was refused: ${status}`));
  }

  #countChunks(piece: Buffer): void {
    const now = clock();
    const { latencies } = this.#options;
    // What lies in the overlap whole was counted before.
    const fresh = Math.max(0, this.#restLength - MARK_LENGTH + 1);
    for (let at = nextMark(piece, fresh); at !== -1; at = nextMark(piece, at + MARK_LENGTH)) {
      const number = markNumber(piece, at);
      if (number <= this.#last) {
        this.disorder += 1;
        continue;
      }
      this.#last = number;
      this.chunks += 1;
      this.firstChunkAt ||= now;
      this.lastChunkAt = now;
      if (latencies) this.latencies.push(now - markMoment(piece, at));
    }
  }

  #countEnds(piece: Buffer): void {
    const { length } = this.#end;
    const fresh = Math.max(0, this.#restLength - length + 1);
    for (let at = piece.indexOf(this.#end, fresh); at !== -1; at = piece.indexOf(this.#end, at + length)) {
      this.turns += 1;
    }
  }

  #noteEventId(piece: Buffer): void {
    const at = piece.lastIndexOf("\nid: ");
    if (at !== -1) this.lastEventId = Number.parseInt(piece.toString("latin1", at + 5, at + 20), 10);
  }
}
