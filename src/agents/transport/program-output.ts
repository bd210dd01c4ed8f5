/** How a program of ours writes lines to stdout: it waits when nobody reads them, as an agent should. */
import { once } from "node:events";

export class ProgramOutput<Message extends object> {
  readonly #stream: NodeJS.WritableStream;
  #drained: Promise<unknown> | undefined;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  /** Resolves when more may be written. The order of calls is the order of lines. */
  async send(message: Message): Promise<void> {
    return this.sendLine(JSON.stringify(message));
  }

  /** For what is no message at all. */
  async sendLine(line: string | Buffer): Promise<void> {
    const isTaken =
      typeof line === "string"
        ? this.#stream.write(`${line}\n`)
        : this.#stream.write(Buffer.concat([line, Buffer.from("\n")]));
    if (isTaken) return;
    this.#drained ??= once(this.#stream, "drain").finally(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }
}
