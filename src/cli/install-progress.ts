/** Shows how far an installation is: a line that is redrawn on a terminal, a few plain lines elsewhere. */
import type { InstallProgress } from "../core/program.ts";

const CLEAR_LINE = "\r\u001b[K";
const MEGABYTE = 1_000_000;

export class InstallProgressLine {
  readonly #agent: string;
  readonly #output: Pick<NodeJS.WriteStream, "write" | "isTTY">;
  /** What was last printed, if lines cannot be redrawn. */
  #told = "";

  constructor(agent: string, output: Pick<NodeJS.WriteStream, "write" | "isTTY"> = process.stderr) {
    this.#agent = agent;
    this.#output = output;
  }

  show(progress: InstallProgress): void {
    if (this.#output.isTTY) {
      this.#output.write(`${CLEAR_LINE}${this.#agent}: ${describe(progress)}`);
      return;
    }
    // Four lines of downloading are enough for a log.
    const step = `${progress.phase} ${Math.floor(4 * fractionOf(progress))}`;
    if (step === this.#told) return;
    this.#told = step;
    this.#output.write(`interlingua: ${this.#agent}: ${describe(progress)}\n`);
  }

  /** Clears the redrawn line, so that the next output begins on an empty line. */
  end(): void {
    if (this.#output.isTTY) this.#output.write(CLEAR_LINE);
  }
}

function describe(progress: InstallProgress): string {
  const { phase, bytes = 0, total = 0 } = progress;
  if (phase !== "downloading") return phase;
  if (total === 0) return `${phase}, ${megabytes(bytes)} MB`;
  const percent = Math.floor(100 * fractionOf(progress));
  return `${phase}, ${megabytes(bytes)} of ${megabytes(total)} MB (${percent} %)`;
}

function fractionOf({ bytes = 0, total = 0 }: InstallProgress): number {
  return total === 0 ? 0 : bytes / total;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / MEGABYTE);
}
