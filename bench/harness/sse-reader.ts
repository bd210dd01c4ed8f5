/** A reader of an event stream that does as little as possible: it counts bytes and notices the end. */
import { connect, type Socket } from "node:net";

/** The end is looked for in so many last bytes; the last event of a turn is far shorter. */
const TAIL_BYTES = 2048;
const COLON = ":".charCodeAt(0);

export interface SseRequest {
  readonly url: string;
  readonly path: string;
  readonly token?: string;
  /** The stream is over when an event that contains this was read to its end. */
  readonly last: string;
  /** Keep the body, to compare it or to send it again. */
  readonly keep?: boolean;
}

export class SseReader {
  /** Of the body, without the comments: those depend on time. */
  bytes = 0;
  readonly body: Buffer[] = [];
  readonly finished: Promise<void>;
  readonly #request: SseRequest;
  readonly #socket: Socket;
  #finish = () => {};
  #tail: Buffer = Buffer.alloc(0);
  /** What came of the head of the response or of a chunk, until its line break. */
  #head: Buffer = Buffer.alloc(0);
  /** Bytes left of the chunk that is being read; 0 between chunks, undefined before the first. */
  #left: number | undefined;
  #isComment = false;

  private constructor(request: SseRequest, socket: Socket) {
    this.#request = request;
    this.#socket = socket;
    this.finished = new Promise((resolve, reject) => {
      this.#finish = resolve;
      socket.on("error", reject);
      socket.on("close", () => reject(new Error(`${request.path} ended before its last event`)));
    });
    // Nobody may be waiting yet when it breaks.
    this.finished.catch(() => {});
  }

  /** Resolves when the server has answered, so that nothing committed later is missed. */
  static async open(request: SseRequest): Promise<SseReader> {
    const { hostname, port, host } = new URL(request.url);
    const socket = connect(Number(port), hostname);
    const reader = new SseReader(request, socket);
    const authorization = request.token === undefined ? "" : `Authorization: Bearer ${request.token}\r\n`;
    socket.write(`GET ${request.path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.on("data", (data) => {
        const body = reader.#left === undefined ? reader.#readHeaders(data) : data;
        if (reader.#left !== undefined) resolve();
        reader.#read(body);
      });
    });
    return reader;
  }

  /** The number of the last event, once it is finished. */
  get lastId(): number {
    const ids = [...this.#tail.toString().matchAll(/^id: (\d+)$/gm)];
    return Number(ids.at(-1)?.[1]);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Gives what follows the headers; nothing until they are complete. */
  #readHeaders(data: Buffer): Buffer {
    this.#head = Buffer.concat([this.#head, data]);
    const end = this.#head.indexOf("\r\n\r\n");
    if (end === -1) return Buffer.alloc(0);
    const headers = this.#head.toString("latin1", 0, end);
    if (!headers.startsWith("HTTP/1.1 200")) {
      this.#socket.destroy(new Error(`${this.#request.path}: ${headers.split("\r\n")[0]}`));
    }
    const rest = this.#head.subarray(end + 4);
    this.#head = Buffer.alloc(0);
    this.#left = 0;
    return rest;
  }

  #read(data: Buffer): void {
    while (data.length > 0) {
      if (this.#left === 0) {
        data = this.#readChunkHead(data);
        continue;
      }
      const part = data.subarray(0, this.#left);
      this.#left! -= part.length;
      data = data.subarray(part.length);
      if (!this.#isComment) this.#take(part);
    }
  }

  /** The length of the chunk in hexadecimal digits, after the line break that ended the one before. */
  #readChunkHead(data: Buffer): Buffer {
    const head = Buffer.concat([this.#head, data]);
    const start = head.subarray(0, 2).toString() === "\r\n" ? 2 : 0;
    const end = head.indexOf("\r\n", start);
    // The first byte of the chunk is wanted too: comments are chunks of their own.
    if (end === -1 || head.length < end + 3) {
      this.#head = head;
      return Buffer.alloc(0);
    }
    this.#head = Buffer.alloc(0);
    this.#left = Number.parseInt(head.toString("latin1", start, end), 16);
    this.#isComment = head[end + 2] === COLON;
    return head.subarray(end + 2);
  }

  #take(part: Buffer): void {
    this.bytes += part.length;
    if (this.#request.keep) this.body.push(part);
    this.#tail = part.length >= TAIL_BYTES ? part : Buffer.concat([this.#tail, part]);
    this.#tail = this.#tail.subarray(-TAIL_BYTES);
    if (this.#left === 0 && this.#tail.includes(this.#request.last)) this.#finish();
  }
}
