/** What is kept of a session beside its log, in pieces. */
import { isBelow, type MemoryPiece } from "../../core/memory-piece.ts";

export class MemoryPieces {
  #pieces: MemoryPiece[] = [];

  add({ part, seq, data, replaces }: MemoryPiece): void {
    const isFormer = (piece: MemoryPiece) =>
      piece.part === part && (piece.seq === seq || (replaces === true && piece.seq < seq));
    this.#pieces = this.#pieces.filter((piece) => !isFormer(piece));
    if (data.length > 0) this.#pieces.push({ part, seq, data });
  }

  /** Copies, in the order of their parts: all, or those of a part and below it. */
  list(above?: string): MemoryPiece[] {
    const found = this.#pieces.filter(({ part }) => above === undefined || isBelow(part, above));
    return structuredClone(found).sort((a, b) => comparePlaces(a, b));
  }
}

function comparePlaces(a: MemoryPiece, b: MemoryPiece): number {
  return Buffer.compare(Buffer.from(a.part), Buffer.from(b.part)) || a.seq - b.seq;
}
