/** Shows how far the copy of a database is: a line that is redrawn on a terminal, a few plain lines elsewhere. */
import { formatBytes } from "./format-bytes.ts";

const CLEAR_LINE = "\r\u001b[K";

/** A smaller copy is done before anybody could read a progress line. */
const WORTH_TELLING_BYTES = 64 * 1024 ** 2;

export class CopyProgressLine {
  readonly #output: Pick<NodeJS.WriteStream, "write" | "isTTY">;
  #isLong = false;
  /** What was last printed, if lines cannot be redrawn. */
  #told = "";

  constructor(output: Pick<NodeJS.WriteStream, "write" | "isTTY"> = process.stderr) {
    this.#output = output;
  }

  copied(bytes: number, total: number): void {
    this.#isLong = total >= WORTH_TELLING_BYTES;
    const percent = Math.floor((100 * bytes) / Math.max(1, total));
    this.#show(`copied ${percent} % of ${formatBytes(total)}`, `copied ${Math.floor(percent / 25)}`);
  }

  checking(): void {
    this.#show("reading the copy to see that it is whole", "checking");
  }

  /** Clears the redrawn line, so that the next output begins on an empty line. */
  end(): void {
    if (this.#isLong && this.#output.isTTY) this.#output.write(CLEAR_LINE);
  }

  #show(text: string, step: string): void {
    if (!this.#isLong) return;
    if (this.#output.isTTY) this.#output.write(`${CLEAR_LINE}${text}`);
    else if (step !== this.#told) this.#output.write(`interlingua: ${text}\n`);
    this.#told = step;
  }
}
