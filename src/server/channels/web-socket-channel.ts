/** One open WebSocket: it says when to stop writing, reads only as fast as it is answered, and notices who has gone. */
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { Principal } from "../../core/principal.ts";
import type { Channel, SharedFrame, SharedFrames } from "../../dialects/dialect.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import { CloseListeners } from "../streams/close-listeners.ts";
import type { OpenStream } from "../streams/open-stream.ts";
import type { StreamCounters } from "../streams/stream-counters.ts";
import { InboundMessages, type InboundOptions } from "./inbound-messages.ts";

/** A close frame has 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123;
/** After so many sweeps without a sign of life the other side has gone. */
const MAX_SILENT_SWEEPS = 2;

export interface WebSocketChannelOptions extends Pick<InboundOptions, "limits" | "memory" | "onError"> {
  counters: StreamCounters;
  caller: Principal;
}

export class WebSocketChannel implements Channel, OpenStream {
  readonly caller: Principal;
  readonly #socket: WebSocket;
  /** The connection below it. */
  readonly #connection: Socket;
  readonly #counters: StreamCounters;
  readonly #messages: InboundMessages;
  readonly #onClose = new CloseListeners();
  #isOpen = true;
  #silentSweeps = 0;
  #takenBytes = 0;

  constructor(socket: WebSocket, connection: Socket, options: WebSocketChannelOptions) {
    this.#socket = socket;
    this.#connection = connection;
    this.#counters = options.counters;
    this.caller = options.caller;
    this.#messages = new InboundMessages(socket, connection, {
      ...options,
      end: (reason, code) => this.end(reason, code),
      onMessage: () => {
        this.#silentSweeps = 0;
        options.counters.socketMessages += 1;
      },
    });
    socket.on("pong", () => {
      this.#silentSweeps = 0;
    });
    // An answer to each would let a client that does not read fill our memory.
    socket.on("ping", (data) => {
      if (this.#canSend && !this.isFull) socket.pong(data);
    });
    // The library closes it itself, with the right code.
    socket.on("error", () => {});
    socket.on("close", () => this.#close());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * False from the first close frame on, also the client's: no frame may follow it. The library ends the connection then, and
   * a later write to the connection would destroy it.
   */
  get #canSend(): boolean {
    return this.#isOpen && this.#socket.readyState === this.#socket.OPEN;
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get isFull(): boolean {
    return this.queuedBytes >= this.#connection.writableHighWaterMark;
  }

  write({ plain }: SharedFrame): void {
    this.#send(plain);
  }

  writeText(text: string): void {
    this.#send(Buffer.from(text));
  }

  /** The library would frame the messages again for each reader. Without compression it holds nothing back, so the order stays. */
  writeFrames({ messages }: SharedFrames): void {
    if (!this.#canSend || messages.length === 0) return;
    this.#connection.write(messages);
    this.#counters.wrote(messages.length, this.queuedBytes);
  }

  #send(message: Buffer): void {
    if (!this.#canSend || message.length === 0) return;
    this.#socket.send(message, { binary: false });
    this.#counters.wrote(message.length, this.queuedBytes);
  }

  onDrain(listener: () => void): () => void {
    const off = () => this.#connection.off("drain", listener);
    this.#connection.on("drain", listener);
    const forget = this.onClose(off);
    return () => {
      off();
      forget();
    };
  }

  onClose(listener: () => void): () => void {
    return this.#onClose.add(listener);
  }

  /** A client that does not read its answers is not read either. */
  onMessage(listener: (text: string) => void | Promise<void>): void {
    this.#messages.listen(async (text) => {
      if (this.isFull) await this.#drained();
      if (this.#isOpen) await listener(text);
    });
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.onDrain(() => {
        if (this.isFull) return;
        stop();
        forget();
        resolve();
      });
      const forget = this.onClose(resolve);
    });
  }

  keepAlive(): void {
    const taken = this.#connection.bytesWritten - this.#connection.writableLength;
    // While we do not read, no pong can be seen.
    if (taken > this.#takenBytes || this.#socket.isPaused) this.#silentSweeps = 0;
    if (this.#silentSweeps >= MAX_SILENT_SWEEPS) {
      this.#counters.socketsLost += 1;
      this.#socket.terminate();
      return this.#close();
    }
    this.#silentSweeps += 1;
    // Behind unsent bytes it would only make the queue longer.
    if (this.#canSend && this.queuedBytes === 0) this.#socket.ping();
    this.#takenBytes = this.#connection.bytesWritten - this.#connection.writableLength;
  }

  end(reason = "", code: number = CLOSE_CODES.done): void {
    if (!this.#isOpen) return;
    this.#close();
    this.#socket.close(code, shortened(reason));
    // The answer to the close frame has to be read.
    this.#socket.resume();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#messages.stop();
    this.#onClose.close();
  }
}

/** Whole characters up to the limit. */
function shortened(reason: string): string {
  if (Buffer.byteLength(reason) <= MAX_REASON_BYTES) return reason;
  let text = "";
  for (const character of reason) {
    if (Buffer.byteLength(text + character) > MAX_REASON_BYTES - 3) break;
    text += character;
  }
  return `${text}…`;
}
