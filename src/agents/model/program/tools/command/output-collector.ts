/** Keeps the beginning and the end of an output in fixed memory, however long it is. */

const CONTINUATION = 0b1000_0000;

export class OutputCollector {
  readonly #head: Buffer;
  /** A ring. */
  readonly #tail: Buffer;
  #length = 0;

  constructor(maxBytes: number) {
    this.#head = Buffer.alloc(Math.ceil(maxBytes / 2));
    this.#tail = Buffer.alloc(Math.floor(maxBytes / 2));
  }

  push(chunk: Buffer): void {
    const toHead = Math.max(0, Math.min(chunk.length, this.#head.length - this.#length));
    chunk.copy(this.#head, this.#length, 0, toHead);
    const ring = this.#tail.length;
    // Of a chunk that goes round the ring only the end stays.
    const from = Math.max(toHead, chunk.length - ring);
    let place = ring === 0 ? 0 : (this.#length + from - this.#head.length) % ring;
    for (let at = from; at < chunk.length; ) {
      const copied = chunk.copy(this.#tail, place, at);
      at += copied;
      place = (place + copied) % ring;
    }
    this.#length += chunk.length;
  }

  /** How many bytes in the middle are not kept. */
  get truncatedBytes(): number {
    return Math.max(0, this.#length - this.#head.length - this.#tail.length);
  }

  text(encoding: string): string {
    const head = this.#head.subarray(0, this.#length);
    const beyond = Math.max(0, this.#length - this.#head.length);
    if (this.truncatedBytes === 0)
      return new TextDecoder(encoding).decode(Buffer.concat([head, this.#tail.subarray(0, beyond)]));
    const start = this.#tail.length === 0 ? 0 : beyond % this.#tail.length;
    const tail = Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]);
    const note = `\n[… ${this.truncatedBytes} bytes left out …]\n`;
    // As a stream, a character that was cut is left out.
    return (
      new TextDecoder(encoding).decode(head, { stream: true }) +
      note +
      new TextDecoder(encoding).decode(encoding === "utf-8" ? fromCharacter(tail) : tail)
    );
  }
}

function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && start < bytes.length && (bytes[start]! & 0b1100_0000) === CONTINUATION) start += 1;
  return bytes.subarray(start);
}
