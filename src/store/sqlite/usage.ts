/** Usage totals per session, day and model. */
import type { UsageIncrement, UsageQuery, UsageRow } from "../../core/store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import {
  addCounts,
  toUsageCounts,
  toUsageRow,
  USAGE_COUNTS,
  type UsageCounts,
} from "../format/usage-columns.ts";
import { decodeUsageCursor, encodeUsageCursor, isDay } from "../list-cursor.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import { Conditions } from "./conditions.ts";
import type { Connection } from "./connection.ts";
import { assertLogRecord, LOG_COLUMNS, type LogRecord, requireDirectory } from "./session-row.ts";

/** The checksum covers these and the model only where there are any: rows from before they were counted have one without. */
const ANSWERS = ["allowed", "denied"] as const;
/** Covered where it is not 0, for the same reason. */
const WAITED = "waited_ms";
/** Always covered. */
const COUNTS = USAGE_COUNTS.slice(0, -3) as Exclude<
  keyof UsageCounts,
  (typeof ANSWERS)[number] | typeof WAITED
>[];

export interface StoredUsage extends UsageCounts {
  day: string;
  /** Empty for the unknown one. */
  model: string;
  checksum: Checksum;
}

export const SELECT_DAYS = `SELECT day, model, ${USAGE_COUNTS.join(", ")}, checksum FROM usage_day WHERE session = ?`;
const SELECT_DAY = `${SELECT_DAYS} AND day = ? AND model = ?`;

/** A number too large for Node fails its own row, by the checksum, and not the whole query. */
const READABLE = [...USAGE_COUNTS, "checksum"]
  .map((column) => {
    const value = `usage_day.${column}`;
    return `iif(${value} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, ${value}, NULL) AS ${column}`;
  })
  .join(", ");

const WRITE = `INSERT INTO usage_day (session, day, model, ${USAGE_COUNTS.join(", ")}, checksum)
  VALUES (?, ?, ?, ${USAGE_COUNTS.map(() => "?").join(", ")}, ?)
  ON CONFLICT (session, day, model) DO UPDATE SET
    ${[...USAGE_COUNTS, "checksum"].map((column) => `${column} = excluded.${column}`).join(", ")}`;

export function addUsageDay(connection: Connection, session: number, increment: UsageIncrement): void {
  const { day, model = "" } = increment;
  const stored = connection.get<StoredUsage>(SELECT_DAY, session, day, model);
  if (stored) assertUsage(session, stored);
  const added = toUsageCounts(increment);
  const sums = { ...added };
  for (const column of USAGE_COUNTS)
    sums[column] = addCounts(stored?.[column] ?? null, added[column]) as number;
  const checksum = usageChecksum(session, { day, model, ...sums });
  const values = USAGE_COUNTS.map((column) => sums[column]);
  connection.run(WRITE, session, day, model, ...values, checksum);
}

/** Throws when the row is not what was stored. */
export function assertUsage(session: number, stored: StoredUsage): void {
  assertChecksum(stored.checksum, `the usage of ${stored.day}`, () => usageChecksum(session, stored));
}

export function usageChecksum(session: number, stored: Omit<StoredUsage, "checksum">): number {
  const { day, model } = stored;
  const values = [session, day, ...COUNTS.map((column) => stored[column])];
  const answers = ANSWERS.map((column) => stored[column]);
  if (stored[WAITED] !== 0) return rowChecksum([...values, model, ...answers, stored[WAITED]]);
  const hasMore = model !== "" || answers.some((count) => count !== 0);
  return rowChecksum(hasMore ? [...values, model, ...answers] : values);
}

/** In the order of the table's index, session by session. Damaged rows are reported and left out. */
export function readUsage(
  connection: Connection,
  query: UsageQuery,
  onDamage: OnDamage,
): { rows: UsageRow[]; cursor?: string } {
  const conditions = new Conditions();
  if (query.cursor !== undefined) {
    const { ordinal, day, model } = decodeUsageCursor(query.cursor);
    conditions.add("(usage_day.session, usage_day.day, usage_day.model) > (?, ?, ?)", ordinal, day, model);
  }
  conditions.addText("session.key = ?", query.session);
  conditions.addText("session.agent = ?", query.agent);
  conditions.addText("usage_day.day >= ?", query.from);
  conditions.addText("usage_day.day <= ?", query.to);
  conditions.addOnly(query.only);
  const sql = `SELECT ${LOG_COLUMNS}, day, usage_day.model, ${READABLE}
    FROM usage_day JOIN session ON session.id = usage_day.session ${conditions.where}
    ORDER BY usage_day.session, usage_day.day, usage_day.model LIMIT ?`;
  const directories = new Map<number, string>();
  const read = (stored: StoredUsage & LogRecord) => {
    assertLogRecord(stored);
    assertUsage(stored.id, stored);
    const directory = directories.get(stored.id) ?? requireDirectory(connection, stored.id);
    directories.set(stored.id, directory);
    return toUsageRow({ ...stored, cwd: directory });
  };
  const rows = connection.all<StoredUsage & LogRecord>(sql, ...conditions.values, query.limit);
  // The cursor cannot point at a damaged row. One of another table has no model.
  const last = rows.length < query.limit ? undefined : rows.findLast(({ day }) => isDay(day));
  return {
    rows: [...skipDamaged(rows, onDamage, read, ({ day, model }) => `${day} ${model}`)],
    cursor: last && encodeUsageCursor({ ordinal: last.id, day: last.day, model: last.model ?? "" }),
  };
}
