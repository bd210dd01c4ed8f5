/** Reads an event stream over a bare socket and finds the fast agent's chunks in it. The same for every gateway. */
import { connect, type Socket } from "node:net";
import { type Chunk, clock, findChunks } from "./chunk-text.ts";
import type { StreamAddress } from "./gateway.ts";

/** Longer than any mark, so that one that is cut in two is found. */
const OVERLAP = 80;

export interface ReaderOptions {
  /** Called with each piece of text as it comes; the ends of pieces overlap. */
  onText?(text: string): void;
  /** Note the latency of every chunk. */
  latencies?: boolean;
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
  readonly latencies: number[] = [];
  readonly socket: Socket;
  readonly #address: StreamAddress;
  readonly #options: ReaderOptions;
  #last = 0;
  #rest = "";
  #lastEventId = 0;
  #listeners: (() => void)[] = [];

  private constructor(address: StreamAddress, options: ReaderOptions, socket: Socket) {
    this.#address = address;
    this.#options = options;
    this.socket = socket;
  }

  /** Resolves when the gateway has answered: nothing said later is missed. */
  static open(address: StreamAddress, options: ReaderOptions = {}): Promise<StreamReader> {
    const { hostname, port, host } = new URL(address.url);
    const socket = connect(Number(port), hostname);
    const reader = new StreamReader(address, options, socket);
    const resumption = options.lastEventId === undefined ? "" : `Last-Event-ID: ${options.lastEventId}\r\n`;
    const authorization = address.token === undefined ? "" : `Authorization: Bearer ${address.token}\r\n`;
    socket.write(
      `GET ${options.lastEventId === undefined ? address.path : address.path.split("?")[0]} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n${authorization}${resumption}\r\n`,
    );
    return new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.once("data", (head) => {
        if (!head.toString("latin1", 0, 12).endsWith("200")) reject(new Error(head.toString("latin1")));
        reader.#read(head);
        socket.on("data", (data) => reader.#read(data));
        resolve(reader);
      });
    });
  }

  /** The number of the newest event. */
  get lastEventId(): number {
    return this.#lastEventId;
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
    while (!condition()) {
      const before = this.bytes;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, quietMs);
        this.#listeners.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (this.bytes === before) return;
    }
  }

  #read(data: Buffer): void {
    const now = clock();
    this.bytes += data.length;
    const text = this.#rest + data.toString("latin1");
    // What lies in the overlap whole was counted before.
    const fresh = this.#rest.length;
    for (const chunk of findChunks(text)) this.#take(chunk, now);
    for (let at = text.indexOf(this.#address.end); at !== -1; at = text.indexOf(this.#address.end, at + 1)) {
      if (at + this.#address.end.length > fresh) this.turns += 1;
    }
    const id = text.lastIndexOf("\nid: ");
    if (id !== -1) this.#lastEventId = Number.parseInt(text.slice(id + 5, id + 20), 10);
    this.#options.onText?.(text);
    this.#rest = text.slice(-OVERLAP);
    for (const wake of this.#listeners.splice(0)) wake();
  }

  #take({ number, sentAt }: Chunk, now: number): void {
    if (number === this.#last) return;
    if (number < this.#last) {
      this.disorder += 1;
      return;
    }
    this.#last = number;
    this.chunks += 1;
    this.firstChunkAt ||= now;
    this.lastChunkAt = now;
    if (this.#options.latencies) this.latencies.push(now - sentAt);
  }
}
