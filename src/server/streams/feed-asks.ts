/** The open asks that readers of the feed were shown. Whenever those of a session may have changed they are read again. */
import { InterlinguaError } from "../../core/error.ts";
import { DAEMON } from "../../core/principal.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { Engine } from "../../engine/engine.ts";
import type { AskView } from "../../protocol/commands/command-types.ts";
import { ANSWER_BYTES, encodeAll } from "../answers/answer-page.ts";

export interface FeedAsksOptions {
  engine: Pick<Engine, "run">;
  slices: TimeSlices;
  /** Whether somebody is to be told. */
  isWanted(): boolean;
  /** Called with all open asks of a session that changed, as far as they fit into a frame. */
  onChange(session: string, frame: object): void;
  onError(error: unknown): void;
}

/** Readers were shown different ones. It is the name of no ask. */
const DOUBTFUL = "?";

interface ReadAsks {
  asks: AskView[];
  cursor?: string;
  names: Map<string, string[]>;
}

export class FeedAsks {
  readonly #options: FeedAsksOptions;
  /** The asks readers were sent, by session. */
  readonly #shown = new Map<string, string>();
  /** Sessions whose asks have to be read again. */
  readonly #stale = new Set<string>();
  #isLooking = false;

  constructor(options: FeedAsksOptions) {
    this.#options = options;
  }

  /** Whether readers know open asks of a session. */
  has(session: string): boolean {
    return this.#shown.has(session);
  }

  /**
   * The session was deleted.
   *
   * @param isAfterSnapshot Readers of the snapshot that is being made are told so after it, and drop what it says of the session.
   */
  forget(session: string, isAfterSnapshot: boolean): void {
    if (isAfterSnapshot) this.#shown.set(session, DOUBTFUL);
    else this.#shown.delete(session);
    this.#stale.delete(session);
  }

  clear(): void {
    this.#shown.clear();
    this.#stale.clear();
  }

  /**
   * Reads the asks of a snapshot.
   *
   * @param isFirst Nobody was shown any when the snapshot was begun.
   */
  async first(isFirst: boolean): Promise<{ asks: string[]; cursor?: string }> {
    const { asks, cursor, names } = await this.#read();
    for (const session of new Set([...names.keys(), ...this.#shown.keys()])) {
      const shown = names.get(session)?.join(" ");
      if (isFirst && shown !== undefined && !this.#shown.has(session)) this.#shown.set(session, shown);
      else if (shown !== this.#shown.get(session)) this.#shown.set(session, DOUBTFUL);
      // They may have changed after they were read and before they were known to be shown.
      void this.look(session);
    }
    return { asks: await encodeAll(asks, this.#options.slices), cursor };
  }

  /** Looks at every session whose asks are not those that were shown. */
  async compare(): Promise<void> {
    const { names } = await this.#read();
    for (const session of new Set([...names.keys(), ...this.#shown.keys()]))
      if (names.get(session)?.join(" ") !== this.#shown.get(session)) void this.look(session);
  }

  async look(session: string): Promise<void> {
    this.#stale.add(session);
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const next of this.#stale) {
      this.#stale.delete(next);
      try {
        await this.#show(next);
      } catch (error) {
        if (!isDeleted(error)) this.#options.onError(error);
      }
    }
    this.#isLooking = false;
  }

  async #show(session: string): Promise<void> {
    const { isWanted, onChange } = this.#options;
    const { asks, cursor, names } = await this.#read(session);
    const shown = names.get(session)?.join(" ") ?? "";
    if (!isWanted() || shown === (this.#shown.get(session) ?? "")) return;
    if (shown !== "") this.#shown.set(session, shown);
    else this.#shown.delete(session);
    onChange(session, { type: "asks", session, asks, askCursor: cursor });
  }

  /**
   * The asks that fit into a frame, and the ids of all by session: readers that fetched an ask by cursor are notified
   * of it too.
   */
  async #read(session?: string): Promise<ReadAsks> {
    const { engine, slices } = this.#options;
    const names = new Map<string, string[]>();
    const first = await engine.run("listAsks", { session, maxBytes: ANSWER_BYTES }, DAEMON);
    for (let page = first; ; ) {
      for (const ask of page.asks) {
        const known = names.get(ask.session);
        if (known) known.push(nameOf(ask));
        else names.set(ask.session, [nameOf(ask)]);
      }
      if (page.cursor === undefined) return { ...first, names };
      await slices.pause();
      page = await engine.run("listAsks", { session, maxBytes: ANSWER_BYTES, cursor: page.cursor }, DAEMON);
    }
  }
}

/** The session was deleted while its asks were read; that notification is on its way. */
function isDeleted(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "session_not_found";
}

/** Identifies an ask and its version. */
function nameOf({ ask, updatedSeq }: AskView): string {
  return `${ask}:${updatedSeq ?? ""}`;
}
