/** An agent that runs elsewhere, as a session sees it: like a process, whose end is the end of the connection. */
import { InterlinguaError } from "../../../core/error.ts";
import { flatten } from "../../../core/flatten.ts";
import type { Line } from "../../../process/line-splitter.ts";
import type { AgentExit, AgentProcess } from "../../../process/process-host.ts";
import { lineText } from "../line-text.ts";
import type { RemoteEvents, RemoteLink } from "./remote-link.ts";

/** With more than this unread, in characters, nothing more is read from the connection. */
const MAX_UNREAD = 1024 * 1024;

const LEFT: AgentExit = { code: 0, signal: null };
const LOST: AgentExit = { code: null, signal: null, isLost: true };

export class RemoteProcess implements AgentProcess, RemoteEvents {
  /** It has none here: nothing may be sent a signal. */
  readonly pid = 0;
  readonly startTime = "";
  readonly lines: AsyncIterable<Line>;
  readonly lineBatches: AsyncIterable<readonly Line[]>;
  readonly exited: Promise<AgentExit>;
  /** Where it is, for a person. */
  readonly #address: string;
  readonly #exit = Promise.withResolvers<AgentExit>();
  #link: RemoteLink | undefined;
  #unread: Line[] = [];
  #unreadLength = 0;
  #isPaused = false;
  #isOver = false;
  #lastWords = "";
  #wake = () => {};

  constructor(address: string) {
    this.#address = address;
    this.exited = this.#exit.promise;
    this.lineBatches = this.#read();
    this.lines = flatten(this.lineBatches);
  }

  /** The connection is there. */
  carriedBy(link: RemoteLink): this {
    this.#link = link;
    if (this.#isOver) link.close();
    return this;
  }

  stderrTail(): string {
    return this.#lastWords;
  }

  async write(line: string | Buffer): Promise<void> {
    const link = this.#link;
    if (this.#isOver || !link) throw this.#gone();
    const text = line.toString().replace(/\r?\n$/, "");
    await link.send(text).catch((error) => {
      throw this.#gone(error);
    });
  }

  closeInput(): void {
    this.#leave();
  }

  async end(): Promise<void> {
    this.#leave();
  }

  heard(message: Line): void {
    if (this.#isOver) return;
    this.#unread.push(message);
    this.#unreadLength += lineText(message).length;
    if (this.#unreadLength > MAX_UNREAD && !this.#isPaused) {
      this.#isPaused = true;
      this.#link?.pause();
    }
    this.#wake();
  }

  lost(reason: string): void {
    this.#finish(LOST, `The connection to ${this.#address} was lost: ${reason}.`);
  }

  #leave(): void {
    this.#finish(LEFT);
    this.#link?.close();
  }

  /** Nothing more comes; what came before can still be read. */
  #finish(exit: AgentExit, lastWords = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lastWords = lastWords;
    this.#exit.resolve(exit);
    this.#wake();
  }

  async *#read(): AsyncGenerator<readonly Line[], void> {
    for (;;) {
      if (this.#unread.length > 0) {
        const batch = this.#unread;
        this.#unread = [];
        this.#unreadLength = 0;
        yield batch;
      } else if (this.#isOver) return;
      else {
        if (this.#isPaused) {
          this.#isPaused = false;
          this.#link?.resume();
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #gone(cause?: unknown): InterlinguaError {
    return new InterlinguaError("session_closed", `The connection to ${this.#address} is closed.`, { cause });
  }
}
