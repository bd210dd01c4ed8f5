/** Splits a byte stream into lines, whatever they mean. */
import { isUtf8 } from "node:buffer";

/**
 * A line without its ending (`\n` or `\r\n`). A `binary` one is not UTF-8. An `overlong` one is reported by its head and
 * its length instead of being kept. `unterminated` marks a last line the stream stopped in the middle of.
 */
export type Line =
  | { readonly kind: "line"; readonly text: string; readonly unterminated?: true }
  | { readonly kind: "binary"; readonly bytes: Buffer; readonly unterminated?: true }
  | {
      readonly kind: "overlong";
      readonly bytes: Buffer;
      readonly length: number;
      readonly unterminated?: true;
    };

export const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;
/** How much of an overlong line is kept (or the cap, if that is smaller). */
export const OVERLONG_HEAD_BYTES = 4096;

/** The line as text, with replacement characters for invalid bytes. */
export function readableText(line: Line): string {
  return line.kind === "line" ? line.text : line.bytes.toString("utf8");
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Splits on byte 10 only: `readline` also ends a line at U+2028 and at a lone carriage return, both of which may
 * stand inside a line of JSON. Pieces of a line are kept apart until its end comes, so the cost is linear however
 * the stream was cut, and characters of several bytes are never torn. All whole lines of a chunk are decoded at once.
 *
 * @example
 * const splitter = new LineSplitter();
 * for await (const chunk of stdout) for (const line of splitter.push(chunk)) handle(line);
 * for (const line of splitter.end()) handle(line);
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #parts: Buffer[] = [];
  /** Bytes of the current line so far, kept or not; a carriage return before the line feed counts too. */
  #length = 0;

  constructor(options: { maxLineBytes?: number } = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  /** The lines this chunk completes. Their bytes may share the chunk's memory: do not write to it afterwards. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    const last = chunk.lastIndexOf(LINE_FEED);
    let start = 0;
    while (start <= last) {
      const whole = this.#length === 0 ? decode(chunk.subarray(start, last), this.#maxLineBytes) : undefined;
      if (whole !== undefined) {
        for (const text of whole.split("\n")) lines.push({ kind: "line", text: withoutReturn(text) });
        break;
      }
      const end = chunk.indexOf(LINE_FEED, start);
      this.#add(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#add(chunk.subarray(last + 1));
    return lines;
  }

  /** The rest of a stream that did not end in a newline. Resets the splitter. */
  end(): Line[] {
    return this.#length === 0 ? [] : [{ ...this.#take(), unterminated: true }];
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const wasOverlong = this.#length > this.#maxLineBytes;
    this.#length += bytes.length;
    if (wasOverlong) return;
    this.#parts.push(bytes);
    if (this.#length <= this.#maxLineBytes) return;
    // No more than the cap, or the head would depend on where the stream was cut. Concatenating copies it, so the
    // memory of what follows is free at once.
    const headBytes = Math.min(OVERLONG_HEAD_BYTES, this.#maxLineBytes);
    this.#parts = [Buffer.concat(this.#parts, headBytes)];
  }

  #take(): Line {
    const parts = this.#parts;
    const length = this.#length;
    this.#parts = [];
    this.#length = 0;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
    if (length > this.#maxLineBytes) return { kind: "overlong", bytes, length };
    if (isUtf8(bytes)) return { kind: "line", text: withoutReturn(bytes.toString("utf8")) };
    return { kind: "binary", bytes: bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes };
  }
}

/** Several lines as one text. Undefined if one of them may be binary or too long. */
function decode(bytes: Buffer, maxLineBytes: number): string | undefined {
  return bytes.length <= maxLineBytes && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function withoutReturn(text: string): string {
  return text.charCodeAt(text.length - 1) === CARRIAGE_RETURN ? text.slice(0, -1) : text;
}
