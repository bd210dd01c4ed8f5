/** One page of a history that is read from its end. */
import type { HistoryEntry } from "../history-events.ts";

/** Entries of one event, in their order. A page is never cut between them, since they have one place. */
export type HistoryGroup = [HistoryEntry, ...HistoryEntry[]];

export interface PageRequest {
  limit: number;
  before?: number;
}

/** Takes as much as a page has, and remembers only places. */
export class HistoryPage {
  readonly #limit: number;
  readonly #before: number;
  readonly #taken: { seq: number; isText: boolean }[] = [];
  #lowest = Number.POSITIVE_INFINITY;
  hasMore = false;

  constructor({ limit, before = Number.POSITIVE_INFINITY }: PageRequest) {
    this.#limit = limit;
    this.#before = before;
  }

  async *take(groups: AsyncIterable<HistoryGroup>): AsyncGenerator<HistoryGroup> {
    let texts = 0;
    for await (const group of groups) {
      const { seq } = group[0];
      if (seq >= this.#before) continue;
      // What an agent said before it took up a prompt that steers it stands before that prompt, but has later places: no
      // later page would have it.
      if (texts >= this.#limit && seq < this.#lowest) {
        this.hasMore = true;
        return;
      }
      const own = group.filter(({ event }) => "idx" in event).length;
      texts += own;
      this.#lowest = Math.min(this.#lowest, seq);
      this.#taken.push({ seq, isText: own > 0 });
      yield group;
    }
  }

  /** Of the first groups. A page that is cut short goes on at its first event, whatever that is. */
  bounds(length: number, isCut: boolean): { first?: number; last?: number } {
    const shown = this.#taken.slice(0, length);
    const texts = shown.filter(({ isText }) => isText).map(({ seq }) => seq);
    const first = isCut ? shown.at(-1)?.seq : Math.min(...texts);
    return { first: Number.isFinite(first) ? first : undefined, last: texts[0] };
  }
}
