/**
 * How many events the histories of dialogs have. Counting reads a dialog once; after that only what was added to it since. For
 * each of the dialogs that were asked for last two numbers and an id are kept.
 */
import type { SessionRow } from "../../../core/store.ts";
import { type HistoryOptions, historyEntries } from "../history-events.ts";
import { type Conversations, positionOf, readMessages } from "./conversation.ts";

const MAX_DIALOGS = 1000;

/** What the history has up to a message, itself included. None of these messages changes any more. */
interface Mark {
  readonly message: string;
  /** An id that was taken back may come again. */
  readonly firstSeq: number;
  readonly count: number;
}

export class HistoryCounts {
  readonly #source: Conversations;
  /** The least recently used first. */
  readonly #marks = new Map<string, Mark>();
  readonly #counting = new Map<string, Promise<number>>();

  constructor(source: Conversations) {
    this.#source = source;
  }

  /** Of everything that is in the conversation. Who asks at once shares the work. */
  count({ id, createdAt }: SessionRow, options: HistoryOptions): Promise<number> {
    // A session that was deleted and made again under its id is another one.
    const key = `${id}\n${createdAt}`;
    const counting = this.#counting.get(key) ?? this.#count(key, id, options);
    this.#counting.set(key, counting);
    return counting.finally(() => this.#counting.delete(key));
  }

  async #count(key: string, session: string, options: HistoryOptions): Promise<number> {
    const mark = this.#marks.get(key);
    const added: (Mark & { isDone: boolean })[] = [];
    let total = 0;
    for await (const { row, record } of readMessages(this.#source, session)) {
      if (mark?.message === row.id && mark.firstSeq === row.firstSeq) {
        total = mark.count;
        break;
      }
      const { length: count } = historyEntries(record, positionOf(row), options);
      added.push({ message: row.id, firstSeq: row.firstSeq, isDone: row.state === "done", count });
    }
    let next = total > 0 ? mark : undefined;
    let isStable = true;
    for (const { isDone, count, ...message } of added.reverse()) {
      total += count;
      isStable &&= isDone;
      if (isStable) next = { ...message, count: total };
    }
    this.#keep(key, next);
    return total;
  }

  #keep(key: string, mark: Mark | undefined): void {
    this.#marks.delete(key);
    if (mark) this.#marks.set(key, mark);
    if (this.#marks.size > MAX_DIALOGS) this.#marks.delete(this.#marks.keys().next().value!);
  }
}
