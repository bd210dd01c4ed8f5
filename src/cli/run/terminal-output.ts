/** Where everything is printed: above the line somebody types at, while there is one. */
import type { TerminalLine } from "./terminal-line.ts";

export class TerminalOutput {
  #line: TerminalLine | undefined;
  /** Whether the last thing on it has no line break; on a terminal stdout and stderr are one. */
  readonly #isInLine = new Map<"terminal" | NodeJS.WriteStream, boolean>();

  write(stream: NodeJS.WriteStream, text: string): void {
    if (text === "") return;
    this.#isInLine.set(keyOf(stream), !text.endsWith("\n"));
    if (this.#line) this.#line.print(stream, text);
    else stream.write(text);
  }

  /** Whether the last thing that was printed has no line break. */
  isInLine(stream: NodeJS.WriteStream): boolean {
    return stream.isTTY && this.#line ? this.#line.isInLine : (this.#isInLine.get(keyOf(stream)) ?? false);
  }

  /** What is printed next begins a line. */
  endLine(stream: NodeJS.WriteStream): void {
    if (this.isInLine(stream)) this.write(stream, "\n");
  }

  /** From now on everything is printed above this line. */
  showLine(line: TerminalLine): void {
    this.endLine(process.stderr);
    this.#line = line;
  }

  closeLine(): void {
    this.#line?.close();
    this.#isInLine.set("terminal", this.#line?.isInLine ?? false);
    this.#line = undefined;
  }
}

function keyOf(stream: NodeJS.WriteStream): "terminal" | NodeJS.WriteStream {
  return stream.isTTY ? "terminal" : stream;
}
