/** For lists of what all sessions share: reports and skips damaged rows. */
import { isDamage } from "./damaged-data.ts";
import { assertNew } from "./skip-damaged.ts";

/** Called for each damaged row. */
export type LeaveOut = (error: unknown) => void;

/** `read` throws if its row is not what was stored. `nameOf` tells rows apart: a damaged index can give one twice. */
export function readRows<Row, Value>(
  rows: Iterable<Row>,
  leaveOut: LeaveOut,
  read: (row: Row) => Value,
  nameOf: (row: Row) => string,
): Value[] {
  const seen = new Set<string>();
  const values: Value[] = [];
  for (const row of rows) {
    try {
      const value = read(row);
      assertNew(seen, nameOf(row));
      values.push(value);
    } catch (error) {
      if (!isDamage(error)) throw error;
      leaveOut(error);
    }
  }
  return values;
}
