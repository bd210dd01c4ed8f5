/**
 * What a client sends through a socket: one message after the other, no faster than the limit. While one waits, nothing
 * more is read, so a client that sends faster fills its own buffers, not ours.
 */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import type { BodyMemory } from "../bodies/read-json-body.ts";
import { RefillingBucket } from "../guard/refilling-bucket.ts";
import type { ServerLimits } from "../limits.ts";

/** As many can arrive in one piece of the connection before reading stops. No client that waits for answers has so many. */
const MAX_WAITING_MESSAGES = 256;

/** As the reason of an abort: an error with a stack for each of thousands of sockets takes long. */
const STOPPED = new Error("the socket was closed");

export interface InboundOptions {
  limits: Pick<ServerLimits, "messagesPerSecond" | "messageBurst">;
  /** Counts what has arrived and was not handled yet, of all sockets and requests. */
  memory: BodyMemory;
  end(reason: string, code: number): void;
  /** Called with each message that arrives. */
  onMessage(): void;
  /** A listener failed. */
  onError(error: unknown): void;
}

export class InboundMessages {
  readonly #socket: WebSocket;
  readonly #options: InboundOptions;
  readonly #rate: RefillingBucket;
  readonly #waiting: Buffer[] = [];
  readonly #stopped = new AbortController();
  #listener: ((text: string) => void | Promise<void>) | undefined;
  #isWorking = false;
  /** Of messages that wait or are being handled. */
  #waitingBytes = 0;
  /** Of a message that has not arrived completely. */
  #partialBytes = 0;
  #countedBytes = 0;

  constructor(socket: WebSocket, connection: Socket, options: InboundOptions) {
    this.#socket = socket;
    this.#options = options;
    const { messagesPerSecond, messageBurst } = options.limits;
    this.#rate = new RefillingBucket(messagesPerSecond, messageBurst);
    // Before the socket itself gets them, which may complete a message.
    connection.prependListener("data", (piece: Buffer) => this.#count(this.#partialBytes + piece.length));
    // They are gone once they have arrived, whatever message they came between. A client's have six bytes before them.
    for (const kind of ["ping", "pong"] as const)
      socket.on(kind, (data: Buffer) => this.#count(Math.max(0, this.#partialBytes - data.length - 6)));
    socket.on("message", (data: Buffer, isBinary) => this.#receive(data, isBinary));
  }

  listen(listener: (text: string) => void | Promise<void>): void {
    this.#listener = listener;
    void this.#work();
  }

  /** What waits is dropped. Idempotent. */
  stop(): void {
    this.#stopped.abort(STOPPED);
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    this.#count(0);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#stopped.signal.aborted) return;
    this.#options.onMessage();
    if (isBinary) return this.#options.end("send text, not binary messages", CLOSE_CODES.notText);
    if (this.#waiting.length >= MAX_WAITING_MESSAGES)
      return this.#options.end("too many messages at once: wait for answers", CLOSE_CODES.tooMany);
    this.#waiting.push(data);
    this.#waitingBytes += data.length;
    this.#count(0);
    void this.#work();
    if (this.#waiting.length > 0) this.#socket.pause();
  }

  #count(partialBytes: number): void {
    const isStopped = this.#stopped.signal.aborted;
    this.#partialBytes = isStopped ? 0 : partialBytes;
    const bytes = this.#partialBytes + this.#waitingBytes;
    const hasRoom = this.#options.memory.add(bytes - this.#countedBytes);
    const hasGrown = bytes > this.#countedBytes;
    this.#countedBytes = bytes;
    if (hasGrown && !hasRoom)
      this.#options.end("too many large messages are under way: send it again later", CLOSE_CODES.tryLater);
  }

  async #work(): Promise<void> {
    if (this.#isWorking || !this.#listener) return;
    this.#isWorking = true;
    try {
      while (this.#waiting.length > 0) {
        const wait = this.#rate.take("");
        if (wait > 0) {
          await sleep(wait * 1000, undefined, { signal: this.#stopped.signal, ref: false });
          continue;
        }
        const data = this.#waiting.shift()!;
        await this.#listener(data.toString());
        if (this.#stopped.signal.aborted) return;
        this.#waitingBytes -= data.length;
        this.#count(this.#partialBytes);
      }
      if (this.#socket.isPaused) this.#socket.resume();
    } catch (error) {
      // It waited for its turn when the socket was closed.
      if (this.#stopped.signal.aborted && (error as Error).name === "AbortError") return;
      this.#options.onError(error);
      this.#options.end("the daemon failed to handle a message; its log says why", CLOSE_CODES.internal);
    } finally {
      this.#isWorking = false;
    }
  }
}
