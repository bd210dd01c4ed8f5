/** Usage totals per session and day. */
import type { UsageIncrement, UsageRow } from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import { dropNulls } from "./drop-nulls.ts";

interface StoredUsage {
  session: string;
  agent: string;
  day: string;
  input: number | null;
  output: number | null;
  reasoning: number | null;
  cache_read: number | null;
  cache_write: number | null;
  cost_nano: number;
  turns: number;
  duration_ms: number;
  tools: number;
  asks: number;
}

export interface UsageQuery {
  session?: string;
  agent?: string;
  from?: string;
  to?: string;
}

const NANO = 1e9;

/** A count that neither side has stays NULL. */
const TOKENS = ["input", "output", "reasoning", "cache_read", "cache_write"].map(
  (column) =>
    `${column} = CASE WHEN excluded.${column} IS NULL THEN ${column} ELSE ifnull(${column}, 0) + excluded.${column} END`,
);
const SUMS = ["cost_nano", "turns", "duration_ms", "tools", "asks"].map(
  (column) => `${column} = ${column} + excluded.${column}`,
);

const ADD = `INSERT INTO usage_day
  (session, day, input, output, reasoning, cache_read, cache_write, cost_nano, turns, duration_ms, tools, asks)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session, day) DO UPDATE SET ${[...TOKENS, ...SUMS].join(", ")}`;

export function addUsageDay(connection: Connection, session: number, increment: UsageIncrement): void {
  const { usage } = increment;
  connection.run(
    ADD,
    session,
    increment.day,
    usage.input ?? null,
    usage.output ?? null,
    usage.reasoning ?? null,
    usage.cacheRead ?? null,
    usage.cacheWrite ?? null,
    Math.round(increment.cost * NANO),
    increment.turns,
    increment.durationMs,
    increment.tools,
    increment.asks,
  );
}

/** By day, then by session. */
export function readUsage(connection: Connection, query: UsageQuery): UsageRow[] {
  const conditions: string[] = [];
  const values: string[] = [];
  const add = (condition: string, value: string | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add("session.key = ?", query.session);
  add("session.agent = ?", query.agent);
  add("usage_day.day >= ?", query.from);
  add("usage_day.day <= ?", query.to);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const sql = `SELECT session.key AS session, session.agent, day, input, output, reasoning, cache_read, cache_write,
    cost_nano, turns, duration_ms, tools, asks FROM usage_day JOIN session ON session.id = usage_day.session ${where} ORDER BY usage_day.day, session.key`;
  return connection.all<StoredUsage>(sql, ...values).map(toUsageRow);
}

function toUsageRow(stored: StoredUsage): UsageRow {
  return {
    session: stored.session,
    agent: stored.agent,
    day: stored.day,
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
    tools: stored.tools,
    asks: stored.asks,
  };
}
