/** For lists over all sessions: reports and skips damaged rows. */
import { DamagedDataError, isDamage } from "./damaged-data.ts";

/** Called with the row's owner. */
export type OnDamage = (session: string, error: unknown) => void;

/** `nameOf` tells rows of one session apart: a damaged index can give the same one twice. */
export function* skipDamaged<Row extends { key: string }, Value>(
  rows: Iterable<Row>,
  onDamage: OnDamage,
  read: (row: Row) => Value,
  nameOf: (row: Row) => string = () => "",
): Generator<Value, void> {
  const seen = new Set<string>();
  for (const row of rows) {
    let value: Value;
    try {
      value = read(row);
      assertNew(seen, `${row.key} ${nameOf(row)}`);
    } catch (error) {
      if (!isDamage(error)) throw error;
      onDamage(row.key, error);
      continue;
    }
    yield value;
  }
}

/** Throws when an index gave the same row before. */
export function assertNew(seen: Set<string>, name: string): void {
  if (seen.has(name)) throw new DamagedDataError("an index has one of its rows twice");
  seen.add(name);
}
