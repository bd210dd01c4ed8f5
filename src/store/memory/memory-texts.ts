/** What the messages of one session say, and the search in it. */
import type { MessageRow, SearchHit, SearchQuery, SearchText, SessionRow } from "../../core/store.ts";
import { hasWords } from "../has-words.ts";
import { makeSnippet } from "../make-snippet.ts";
import { searchWords } from "../search-words.ts";

interface KnownText extends SearchText {
  /** Counts the messages of all sessions in the order they were first seen. */
  ordinal: number;
  words: ReadonlySet<string>;
}

export interface OrderedHit {
  ordinal: number;
  hit: SearchHit;
}

export class MemoryTexts {
  readonly #ordinals = new Map<string, number>();
  readonly #texts = new Map<string, KnownText>();

  /** `next` numbers a message that is new. */
  note(message: string, next: () => number): void {
    if (!this.#ordinals.has(message)) this.#ordinals.set(message, next());
  }

  /** Nothing for a message that was not noted. */
  set(text: SearchText): void {
    const ordinal = this.#ordinals.get(text.message);
    if (ordinal === undefined) return;
    this.#texts.set(text.message, { ...text, ordinal, words: new Set(searchWords(text.text)) });
  }

  find(
    session: SessionRow,
    messages: ReadonlyMap<string, MessageRow>,
    isInHistory: (message: MessageRow) => boolean,
    wanted: readonly string[],
  ): OrderedHit[] {
    const found: OrderedHit[] = [];
    for (const { message, at, text, ordinal, words } of this.#texts.values()) {
      const row = messages.get(message);
      if (!row || !isInHistory(row) || !hasWords(words, wanted)) continue;
      const hit = { session, message, role: row.role, at, snippet: makeSnippet(text, wanted) };
      found.push({ ordinal, hit });
    }
    return found;
  }
}

/** Whether messages of this session are wanted. */
export function isSearched(row: SessionRow, { session, archived }: SearchQuery): boolean {
  return (session ?? row.id) === row.id && (archived ?? row.archived ?? false) === (row.archived ?? false);
}
