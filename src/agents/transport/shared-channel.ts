/** A shared process as one session sees it. */
import { InterlinguaError } from "../../core/error.ts";
import { flatten } from "../../core/flatten.ts";
import type { Line } from "../../process/line-splitter.ts";
import type { AgentExit, AgentProcess } from "../../process/process-host.ts";
import { lineText } from "./line-text.ts";

/** How much unread output of a session is kept before it is cut off. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

const LEFT: AgentExit = { code: 0, signal: null };

export class Channel implements AgentProcess {
  readonly lines: AsyncIterable<Line>;
  readonly lineBatches: AsyncIterable<readonly Line[]>;
  readonly exited: Promise<AgentExit>;
  readonly #process: AgentProcess;
  readonly #onLeft: () => void;
  readonly #exit = Promise.withResolvers<AgentExit>();
  #unread: Line[] = [];
  #unreadBytes = 0;
  #isOver = false;
  #lastWords = "";
  #wake = () => {};

  /** `onLeft` is called once, when no more lines are wanted. */
  constructor(process: AgentProcess, onLeft: () => void) {
    this.#process = process;
    this.#onLeft = onLeft;
    this.exited = this.#exit.promise;
    this.lineBatches = this.#read();
    this.lines = flatten(this.lineBatches);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get startTime(): string {
    return this.#process.startTime;
  }

  /** Empty until the shared process dies: what it wrote before that concerns other sessions too. */
  stderrTail(): string {
    return this.#lastWords;
  }

  write(line: string | Buffer): Promise<void> {
    if (!this.#isOver) return this.#process.write(line);
    return Promise.reject(new InterlinguaError("session_closed", "the session has left its agent"));
  }

  closeInput(): void {
    this.exit(LEFT);
  }

  async end(): Promise<void> {
    this.exit(LEFT);
  }

  push(line: Line): void {
    this.#unread.push(line);
    this.#unreadBytes += lineText(line).length;
    if (this.#unreadBytes > MAX_UNREAD_BYTES) {
      this.exit({ code: null, signal: null }, "The session was too slow for its agent and was cut off.");
    }
    this.#wake();
  }

  /** Nothing more comes; what came before can still be read. */
  exit(exit: AgentExit, lastWords = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lastWords = lastWords;
    this.#exit.resolve(exit);
    this.#wake();
    this.#onLeft();
  }

  async *#read(): AsyncGenerator<readonly Line[], void> {
    for (;;) {
      if (this.#unread.length > 0) {
        const batch = this.#unread;
        this.#unread = [];
        this.#unreadBytes = 0;
        yield batch;
      } else if (this.#isOver) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
