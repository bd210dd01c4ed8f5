/** The last bytes of a stream that nobody else keeps. */
export class StderrTail {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    while (this.#parts.length > 0 && this.#length - this.#parts[0]!.length >= this.#maxBytes) {
      this.#length -= this.#parts.shift()!.length;
    }
  }

  toString(): string {
    const bytes = Buffer.concat(this.#parts);
    let start = Math.max(0, bytes.length - this.#maxBytes);
    // If the cut is inside a character, begins with the next one.
    while (start > 0 && isContinuation(bytes[start])) start += 1;
    return bytes.toString("utf8", start);
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
