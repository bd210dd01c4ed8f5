/** Where the logs of sessions end that were written lately, so that an append need not ask. Bounded. */
import { FIRST_EPOCH } from "../../core/ownership.ts";
import type { SessionAppend } from "../../core/store.ts";
import type { PostgresConnection, Statement } from "./connection.ts";
import { changingValues } from "./session-row.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/** Where a session's log ends and what of its row was last written. */
export interface KnownHead {
  /** The number of the session. */
  session: number;
  /** The node that owns it; absent where that is nobody, or was not asked for. */
  owner?: number | null;
  epoch: number;
  head: number;
  rawHead: number;
  /** It has no row yet. */
  isNew?: true;
  /** As JSON; absent when it is not known. */
  changing?: string;
  title?: string | undefined;
  /** An append may have been carried out after this. */
  isInDoubt?: boolean;
}

const MAX_KNOWN = 10_000;

/** Numbers are taken in advance: a new session is written with one statement, like any other. */
const NUMBERS_AT_ONCE = 32;

const SELECT_HEADS: Statement = {
  name: "select_heads",
  text: `SELECT session.key, session.id AS session, owner, epoch, head, raw_head AS "rawHead"
    FROM session JOIN log_head ON log_head.session = session.id WHERE session.key = ANY($1::text[])`,
};
const TAKE_NUMBERS = "SELECT nextval('session_number') AS number FROM generate_series(1, $1::int)";

export class KnownHeads {
  readonly #connection: PostgresConnection;
  /** Least recently used first. */
  readonly #known = new Map<string, KnownHead>();
  #numbers: number[] = [];

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  get(session: string): KnownHead | undefined {
    return this.#known.get(session);
  }

  /** Reads those that are not known; gives new ones a number. */
  async load(sessions: readonly string[]): Promise<Map<string, KnownHead>> {
    const missing = sessions.filter((session) => !this.#known.has(session));
    const found = new Map<string, KnownHead>();
    if (missing.length > 0) {
      for (const { key, ...head } of await this.#read(missing)) found.set(decodeText(key), head);
    }
    for (const session of sessions) {
      const known = this.#known.get(session) ?? found.get(session);
      found.set(session, known ?? { ...NOTHING, session: await this.#nextNumber(), isNew: true });
    }
    return found;
  }

  async #read(sessions: readonly string[]): Promise<(KnownHead & { key: string })[]> {
    return this.#connection.write(SELECT_HEADS, [sessions.map(encodeText)]);
  }

  /** The append is written. */
  moved(head: KnownHead, append: SessionAppend): void {
    const { row } = append;
    const { session, owner, epoch } = head;
    this.forget(row.id);
    this.#known.set(row.id, {
      session,
      owner,
      epoch,
      head: row.head,
      rawHead: row.rawHead,
      changing: JSON.stringify(changingValues(append)),
      title: row.title,
    });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
  }

  /** Whether the append was written is not known: the next one either repeats it or follows it. */
  doubt(session: string, head: KnownHead): void {
    this.#known.set(session, { ...head, isInDoubt: true });
  }

  forget(session: string): void {
    this.#known.delete(session);
  }

  async #nextNumber(): Promise<number> {
    if (this.#numbers.length === 0) {
      const taken = await this.#connection.write<{ number: number }>(TAKE_NUMBERS, [NUMBERS_AT_ONCE]);
      this.#numbers = taken.map(({ number }) => number);
    }
    return this.#numbers.shift()!;
  }
}

const NOTHING = { epoch: FIRST_EPOCH, head: 0, rawHead: 0 };
