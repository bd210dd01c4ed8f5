/** Usage totals per session, day and model. */
import type { UsageIncrement, UsageQuery, UsageRow } from "../../core/store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import { decodeUsageCursor, encodeUsageCursor, isDay } from "../list-cursor.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import type { Connection } from "./connection.ts";
import { onlyConditions } from "./only-conditions.ts";
import {
  assertLogRecord,
  LOG_COLUMNS,
  type LogRecord,
  requireDirectory,
  type SessionIdentity,
} from "./session-row.ts";

const TOKENS = ["input", "output", "reasoning", "cache_read", "cache_write"] as const;
const SUMS = ["cost_nano", "turns", "duration_ms", "tools", "asks"] as const;
export const COUNTS = [...TOKENS, ...SUMS];
/** Newer than the checksums, which cover these and the model only where there are any. */
const ANSWERS = ["allowed", "denied"] as const;
/** Newer than the answers: covered where it is not 0. */
const WAITED = "waited_ms";
const ALL_COUNTS = [...COUNTS, ...ANSWERS, WAITED] as const;

type Counts = Record<(typeof TOKENS)[number], number | null> & Record<(typeof SUMS)[number], number>;

/** The model, the answers and what was waited are absent in rows of older formats, while they are brought up to date. */
export interface StoredUsage extends Counts {
  day: string;
  /** Empty for the unknown one. */
  model?: string;
  allowed?: number;
  denied?: number;
  waited_ms?: number;
  checksum: Checksum;
}

const NANO = 1e9;

export const SELECT_DAYS = `SELECT day, model, ${ALL_COUNTS.join(", ")}, checksum FROM usage_day WHERE session = ?`;
const SELECT_DAY = `${SELECT_DAYS} AND day = ? AND model = ?`;

/** A number too large for Node fails its own row, by the checksum, and not the whole query. */
const READABLE = [...ALL_COUNTS, "checksum"]
  .map((column) => {
    const value = `usage_day.${column}`;
    return `iif(${value} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, ${value}, NULL) AS ${column}`;
  })
  .join(", ");

const WRITE = `INSERT INTO usage_day (session, day, model, ${ALL_COUNTS.join(", ")}, checksum)
  VALUES (?, ?, ?, ${ALL_COUNTS.map(() => "?").join(", ")}, ?)
  ON CONFLICT (session, day, model) DO UPDATE SET
    ${[...ALL_COUNTS, "checksum"].map((column) => `${column} = excluded.${column}`).join(", ")}`;

export function addUsageDay(connection: Connection, session: number, increment: UsageIncrement): void {
  const { day, model = "" } = increment;
  const stored = connection.get<StoredUsage>(SELECT_DAY, session, day, model);
  if (stored) assertUsage(session, stored);
  const added = toCounts(increment);
  const sums = COUNTS.map((column) => sum(stored?.[column] ?? null, added[column]));
  const answers = ANSWERS.map((column) => sum(stored?.[column] ?? null, increment[column])!);
  const waited = sum(stored?.[WAITED] ?? null, increment.waitedMs)!;
  const checksum = checksumOf([session, day, ...sums], model, answers, waited);
  connection.run(WRITE, session, day, model, ...sums, ...answers, waited, checksum);
}

function toCounts({ usage, cost, turns, durationMs, tools, asks }: UsageIncrement): Counts {
  return {
    input: usage.input ?? null,
    output: usage.output ?? null,
    reasoning: usage.reasoning ?? null,
    cache_read: usage.cacheRead ?? null,
    cache_write: usage.cacheWrite ?? null,
    cost_nano: Math.round(cost * NANO),
    turns,
    duration_ms: durationMs,
    tools,
    asks,
  };
}

/** A count that neither side has stays NULL. One that grows past what a number can hold stays at the largest. */
function sum(stored: number | null, added: number | null): number | null {
  if (stored === null && added === null) return null;
  return Math.min((stored ?? 0) + (added ?? 0), Number.MAX_SAFE_INTEGER);
}

/** Throws when the row is not what was stored. */
export function assertUsage(session: number, stored: StoredUsage): void {
  assertChecksum(stored.checksum, `the usage of ${stored.day}`, () => usageChecksum(session, stored));
}

export function usageChecksum(session: number, stored: StoredUsage): number {
  const values = [session, stored.day, ...COUNTS.map((column) => stored[column])];
  return checksumOf(
    values,
    stored.model ?? "",
    ANSWERS.map((column) => stored[column] ?? 0),
    stored[WAITED] ?? 0,
  );
}

function checksumOf(
  values: readonly (string | number | null)[],
  model: string,
  answers: readonly number[],
  waited: number,
): number {
  if (waited !== 0) return rowChecksum([...values, model, ...answers, waited]);
  const hasMore = model !== "" || answers.some((count) => count !== 0);
  return rowChecksum(hasMore ? [...values, model, ...answers] : values);
}

/** In the order of the table's index, session by session. Damaged rows are reported and left out. */
export function readUsage(
  connection: Connection,
  query: UsageQuery,
  onDamage: OnDamage,
): { rows: UsageRow[]; cursor?: string } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...given: (string | number | undefined)[]) => {
    if (given.some((value) => value === undefined)) return;
    conditions.push(condition);
    values.push(...(given as (string | number)[]));
  };
  const after = query.cursor === undefined ? undefined : decodeUsageCursor(query.cursor);
  add(
    "(usage_day.session, usage_day.day, usage_day.model) > (?, ?, ?)",
    after?.ordinal,
    after?.day,
    after?.model,
  );
  add("session.key = ?", query.session);
  add("session.agent = ?", query.agent);
  add("usage_day.day >= ?", query.from);
  add("usage_day.day <= ?", query.to);
  for (const { condition, value } of onlyConditions(query.only)) add(condition, value);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const sql = `SELECT ${LOG_COLUMNS}, day, usage_day.model, ${READABLE}
    FROM usage_day JOIN session ON session.id = usage_day.session ${where}
    ORDER BY usage_day.session, usage_day.day, usage_day.model LIMIT ?`;
  const directories = new Map<number, string>();
  const read = (stored: StoredUsage & LogRecord) => {
    assertLogRecord(stored);
    assertUsage(stored.id, stored);
    const directory = directories.get(stored.id) ?? requireDirectory(connection, stored.id);
    directories.set(stored.id, directory);
    return toUsageRow(stored, directory);
  };
  const rows = connection.all<StoredUsage & LogRecord>(sql, ...values, query.limit);
  // The cursor cannot point at a damaged row.
  const last = rows.length < query.limit ? undefined : rows.findLast(({ day }) => isDay(day));
  return {
    rows: [...skipDamaged(rows, onDamage, read, ({ day, model }) => `${day} ${model}`)],
    cursor: last && encodeUsageCursor({ ordinal: last.id, day: last.day, model: last.model ?? "" }),
  };
}

function toUsageRow(stored: StoredUsage & SessionIdentity, directory: string): UsageRow {
  return {
    session: stored.key,
    agent: stored.agent,
    directory,
    day: stored.day,
    ...(stored.model && { model: stored.model }),
    usage: dropNulls({
      input: stored.input,
      output: stored.output,
      reasoning: stored.reasoning,
      cacheRead: stored.cache_read,
      cacheWrite: stored.cache_write,
    }),
    cost: stored.cost_nano / NANO,
    turns: stored.turns,
    durationMs: stored.duration_ms,
    waitedMs: stored.waited_ms ?? 0,
    tools: stored.tools,
    asks: stored.asks,
    allowed: stored.allowed ?? 0,
    denied: stored.denied ?? 0,
  };
}
