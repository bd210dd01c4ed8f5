/**
 * Bytes that belong to a session beside its log, such as the files an agent keeps of its conversation. They are stored in
 * parts, each a sequence of pieces: what the pieces have, one after the other, is the content of the part.
 */

export interface MemoryPiece {
  /** Well-formed text of up to `MEMORY_PART_LENGTH` characters. */
  readonly part: string;
  /** Its place in the part. Rises; a piece under a number that is there takes its place. */
  readonly seq: number;
  /** Up to `MEMORY_PIECE_BYTES`. */
  readonly data: Uint8Array;
  /** The earlier pieces of the part are removed. With no data the part is, since nothing is stored then. */
  readonly replaces?: true;
}

/** The most that one piece may have. */
export const MEMORY_PIECE_BYTES = 1024 * 1024;

/** The longest name of a part. */
export const MEMORY_PART_LENGTH = 1000;

/** Whether a part is this one or below it: names are paths. `a/b` is below `a`, `ab` is not. */
export function isBelow(part: string, above: string): boolean {
  return part === above || part.startsWith(`${above}/`);
}

/** What is below a part lies between these two, the second left out, by the numbers of their characters. */
export function rangeBelow(above: string): [first: string, end: string] {
  return [`${above}/`, `${above}0`];
}

/**
 * The pieces that add `data` to a part, or make it the part's whole content.
 *
 * @param seq The number of the first one.
 */
export function cutMemory(
  part: string,
  seq: number,
  data: Uint8Array,
  { replaces = false }: { replaces?: boolean } = {},
): MemoryPiece[] {
  const pieces: MemoryPiece[] = [];
  for (let start = 0; start < data.length; start += MEMORY_PIECE_BYTES)
    pieces.push({
      part,
      seq: seq + pieces.length,
      data: data.subarray(start, start + MEMORY_PIECE_BYTES),
    });
  if (!replaces) return pieces;
  const [first, ...rest] = pieces;
  return [{ ...(first ?? { part, seq, data }), replaces: true }, ...rest];
}
