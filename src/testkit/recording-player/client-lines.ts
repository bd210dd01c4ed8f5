/** The lines a client has sent and the player has not used yet. */
import { kindOf, type Message, readMessage } from "./line-kind.ts";

export class ClientLines {
  readonly #waiting: string[] = [];
  readonly #lines: AsyncIterator<string>;

  constructor(lines: AsyncIterable<string>) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /**
   * The next line of that kind; lines of other kinds wait for their turn, however early they came. `ended` when the
   * input ends first.
   */
  async next(kind: string): Promise<{ line: string; message: Message | undefined } | "ended"> {
    for (const [index, line] of this.#waiting.entries()) {
      const message = readMessage(line);
      if (lineKind(message) !== kind) continue;
      this.#waiting.splice(index, 1);
      return { line, message };
    }
    for (;;) {
      const read = await this.#lines.next();
      if (read.done) return "ended";
      const message = readMessage(read.value);
      if (lineKind(message) === kind) return { line: read.value, message };
      this.#waiting.push(read.value);
    }
  }

  /** Reads on until the client closes its end. */
  async end(): Promise<void> {
    while (!(await this.#lines.next()).done);
  }

  /** The kinds that came and were not asked for. */
  get unused(): string[] {
    return this.#waiting.map((line) => lineKind(readMessage(line)));
  }
}

/** Lines that are no JSON are all of one kind. */
export function lineKind(message: Message | undefined): string {
  return message ? kindOf(message) : "not JSON";
}
