/**
 * Five ways to break the promise on purpose, so that it shows whether a chaos run would notice: the statement that appends
 * is changed on its way to PostgreSQL, or what became of it is told wrongly.
 */
import type { SessionAppend, Store } from "../../../src/core/store.ts";
import type { PostgresConnection, RunStatement, Statement } from "../../../src/store/postgres/connection.ts";
import { StoreWriteError } from "../../../src/store/store-write-error.ts";
import { instrumentStore } from "../../../src/testkit/instrument-store.ts";

export const SABOTAGES = [
  "no epoch",
  "no head",
  "neither",
  "error means not written",
  "acknowledge in doubt",
] as const;

export type Sabotage = (typeof SABOTAGES)[number];

/** A connection whose appends compare less. */
export function sabotageConnection(
  connection: PostgresConnection,
  sabotage: Sabotage | undefined,
): PostgresConnection {
  const change = sabotage && CHANGES[sabotage];
  if (!change) return connection;
  const changed = (statement: Statement | string) =>
    typeof statement === "string" || !statement.name.startsWith("append_")
      ? statement
      : { ...statement, text: change(statement.text) };
  const write: RunStatement = (statement, values) => connection.write(changed(statement), values);
  const transaction = <Result>(act: (run: RunStatement) => Promise<Result>) =>
    connection.transaction((run) => act((statement, values) => run(changed(statement), values)));
  const replaced: Partial<Record<keyof PostgresConnection, unknown>> = { write, transaction };
  return new Proxy(connection, {
    get(target, name) {
      const own = replaced[name as keyof PostgresConnection] ?? target[name as keyof PostgresConnection];
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

const CHANGES: Partial<Record<Sabotage, (text: string) => string>> = {
  "no epoch": withoutEpoch,
  "no head": withoutHead,
  neither: (text) => withoutHead(withoutEpoch(text)),
};

function withoutEpoch(text: string): string {
  return replaceOnce(text, " AND h.epoch = g.epoch", "");
}

/** What comes is written where the log ends, wherever it should have been. */
function withoutHead(text: string): string {
  const compared = replaceOnce(text, " AND h.head = g.head AND h.raw_head = g.raw_head", "");
  const moved = replaceOnce(
    replaceOnce(compared, "head = g.new_head,", "head = h.head + g.new_head - g.head,"),
    "raw_head = g.new_raw_head,",
    "raw_head = h.raw_head + g.new_raw_head - g.raw_head,",
  );
  const shifted = replaceOnce(
    moved,
    "RETURNING h.session, h.tail_events, h.tail_bytes)",
    "RETURNING h.session, h.tail_events, h.tail_bytes, h.head - g.new_head AS by, h.raw_head - g.new_raw_head AS raw_by)",
  );
  const placed = replaceOnce(
    shifted,
    "SELECT p.session, p.first, p.last, p.raw_first, p.raw_last,",
    `SELECT p.session, p.first + coalesce(moved.by, 0), p.last + coalesce(moved.by, 0),
      p.raw_first + coalesce(moved.raw_by, 0), p.raw_last + coalesce(moved.raw_by, 0),`,
  );
  return replaceOnce(
    placed,
    "JOIN accepted USING (session) JOIN g USING (session)",
    "JOIN accepted USING (session) JOIN g USING (session) LEFT JOIN moved USING (session)",
  );
}

/** A sabotage that changes nothing would prove nothing. */
function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2)
    throw new Error(`the statement has changed: "${from}" is not in it once`);
  return text.replace(from, () => to);
}

/** A store that tells wrongly what became of an append. */
export function sabotageStore(store: Store, sabotage: Sabotage | undefined): Store {
  const isRetryable = (error: unknown) => error instanceof StoreWriteError && error.retryable;
  if (sabotage === "acknowledge in doubt")
    return instrumentStore(store, {
      append: (batch) =>
        store.append(batch).catch((error) => {
          if (isRetryable(error)) return { refused: [] };
          throw error;
        }),
    });
  if (sabotage !== "error means not written") return store;
  // Whoever asks again is told the same.
  const failed = new WeakSet<SessionAppend>();
  const notWritten = (cause: unknown) =>
    new StoreWriteError("It was not written.", { cause, retryable: false });
  return instrumentStore(store, {
    async append(batch) {
      if (batch.some((append) => failed.has(append))) throw notWritten(undefined);
      return store.append(batch).catch((error) => {
        if (!isRetryable(error)) throw error;
        for (const append of batch) failed.add(append);
        throw notWritten(error);
      });
    },
  });
}
