/** What the store has of an agent's memory: parts with its contents, and one that says whose and how old it is. */
import { MAX_MEMORY_BYTES } from "../../core/adapter-memory.ts";
import { eventOf } from "../../core/encoded-event.ts";
import type { MemoryPiece } from "../../core/memory-piece.ts";
import { readLog } from "../../core/read-log.ts";
import type { Store } from "../../core/store.ts";

/** The part that says what the others are. */
const ABOUT = "agent";
/** Before the names of the others. */
const PREFIX = "agent/";

/** What is known of the contents. */
export interface AboutMemory {
  /** The agent's own id of the conversation. */
  readonly conversation: string;
  readonly version?: string;
  /** The newest event when it was captured. */
  readonly seq: number;
  /** No turn was under way, or it was ending. */
  readonly isWhole: boolean;
  /** The number of the node that captured it, which no other process has. */
  readonly node?: number;
}

export interface StoredPart {
  /** The number of the next piece. */
  readonly next: number;
  /** How many there are. */
  readonly pieces: number;
  readonly bytes: number;
}

export const NO_PART: StoredPart = { next: 0, pieces: 0, bytes: 0 };

export interface StoredMemory {
  readonly about?: AboutMemory;
  /** The number of the next piece of the part that says it. */
  readonly aboutNext: number;
  readonly parts: ReadonlyMap<string, StoredPart>;
  /** As they are stored: masked. Empty where there is more than is ever kept. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export const NO_MEMORY: StoredMemory = { aboutNext: 0, parts: new Map(), contents: new Map() };

export async function readStoredMemory(
  store: Pick<Store, "readMemory">,
  session: string,
): Promise<StoredMemory> {
  const parts = new Map<string, StoredPart>();
  const pieces = new Map<string, Uint8Array[]>();
  let about: AboutMemory | undefined;
  let [aboutNext, bytes] = [0, 0];
  for await (const { part, seq, data } of store.readMemory(session, ABOUT)) {
    if (part === ABOUT) {
      about = JSON.parse(new TextDecoder().decode(data)) as AboutMemory;
      aboutNext = seq + 1;
    }
    if (!part.startsWith(PREFIX)) continue;
    const name = part.slice(PREFIX.length);
    const former = parts.get(name) ?? NO_PART;
    parts.set(name, { next: seq + 1, pieces: former.pieces + 1, bytes: former.bytes + data.length });
    bytes += data.length;
    if (bytes <= MAX_MEMORY_BYTES) pieces.set(name, [...(pieces.get(name) ?? []), data]);
  }
  const isTooLarge = bytes > MAX_MEMORY_BYTES;
  const contents = new Map(isTooLarge ? [] : [...pieces].map(([name, all]) => [name, join(all)] as const));
  return { ...(about && { about }), aboutNext, parts, contents };
}

export function aboutPiece(seq: number, about: AboutMemory): MemoryPiece {
  return { part: ABOUT, seq, data: new TextEncoder().encode(JSON.stringify(about)), replaces: true };
}

/** The name a part has in the store. */
export function storedName(part: string): string {
  return `${PREFIX}${part}`;
}

/** What happened to the conversation that the memory does not have. */
export type Gap = "none" | "turn" | "rewind";

export async function findGap(
  store: Pick<Store, "readEvents">,
  session: string,
  { seq, isWhole }: AboutMemory,
): Promise<Gap> {
  let gap: Gap = isWhole ? "none" : "turn";
  for await (const page of readLog(store, session, seq))
    for (const encoded of page) {
      const { type } = eventOf(encoded);
      if (type === "conversation.rewound") return "rewind";
      if (type === "turn.started") gap = "turn";
    }
  return gap;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let length = 0;
  for (const piece of pieces) {
    joined.set(piece, length);
    length += piece.length;
  }
  return joined;
}
