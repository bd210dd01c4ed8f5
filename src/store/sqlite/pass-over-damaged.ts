/** For lists over all sessions: one row that is damaged is told of and left out, and the others are read. */
import { isDamage } from "../damaged-data.ts";

/** Told whose row it is. */
export type OnDamage = (session: string, error: unknown) => void;

export function passOver<Row extends { key: string }, Value>(
  rows: readonly Row[],
  onDamage: OnDamage,
  read: (row: Row) => Value,
): Value[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (!isDamage(error)) throw error;
      onDamage(row.key, error);
      return [];
    }
  });
}
