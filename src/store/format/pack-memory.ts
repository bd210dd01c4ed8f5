/** Pieces of a session's memory as they are stored. */
import type { MemoryPiece } from "../../core/memory-piece.ts";
import { type Packed, pack, unpackBytes } from "../codec.ts";
import { assertContent } from "./checksum.ts";
import { packedChecksum, type StoredContent } from "./packed-content.ts";

export interface PackedPiece {
  part: string;
  seq: number;
  replaces: boolean;
  /** Null where there is nothing to store. */
  packed: Packed | null;
}

export interface StoredPiece extends StoredContent {
  part: string;
  seq: number;
}

/** Each place once, and nothing that is replaced by a later one. */
export function packMemory(pieces: readonly MemoryPiece[]): Promise<PackedPiece[]> {
  return Promise.all(
    lastPieces(pieces).map(async ({ part, seq, data, replaces = false }) => ({
      part,
      seq,
      replaces,
      packed: data.length === 0 ? null : await pack(Buffer.from(data)),
    })),
  );
}

function lastPieces(pieces: readonly MemoryPiece[]): MemoryPiece[] {
  const last = new Map<string, Map<number, MemoryPiece>>();
  for (const piece of pieces) {
    const { part, seq } = piece;
    const former = last.get(part) ?? new Map<number, MemoryPiece>();
    const replaces = piece.replaces ?? former.get(seq)?.replaces;
    if (piece.replaces) for (const place of former.keys()) if (place < seq) former.delete(place);
    former.set(seq, { ...piece, replaces });
    last.set(part, former);
  }
  return [...last.values()].flatMap((ofPart) => [...ofPart.values()]);
}

export function pieceChecksum(packed: Packed, session: number, { part, seq }: PackedPiece): number {
  return packedChecksum(packed, [session, seq, part]);
}

/** Throws if it is not what was stored. */
export async function unpackPiece(session: number, stored: StoredPiece): Promise<MemoryPiece> {
  const { part, seq, checksum, codec, data } = stored;
  const what = `piece ${seq} of "${part}"`;
  assertContent(checksum, what, data, "blob", `${codec} ${session} ${seq} ${part}`);
  return { part, seq, data: await unpackBytes(data, codec, what) };
}
