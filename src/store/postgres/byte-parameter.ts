/** All bytes of one statement as one binary parameter, from which the statement cuts its pieces. */

/** Where a piece lies, counted from 0. */
export interface Piece {
  off: number;
  len: number;
}

export class ByteParameter {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): Piece {
    const off = this.#length;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    return { off, len: bytes.length };
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#pieces, this.#length);
  }
}

/** The SQL that cuts a piece out of the parameter, from columns `off` and `len` of a row. */
export function cutPiece(parameter: string, row: string): string {
  return `substring(${parameter} FROM ${row}.off + 1 FOR ${row}.len)`;
}
