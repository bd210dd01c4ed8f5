/** Usage totals per session, day and model. */
import type { UsageQuery, UsageRow } from "../../core/store.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import { decodeUsageCursor, encodeUsageCursor } from "../list-cursor.ts";
import { USAGE_COUNTS } from "./append-statement.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { decodeText, encodeText } from "./stored-text.ts";

type Counts = Record<(typeof USAGE_COUNTS)[number], number>;

interface StoredUsage extends Counts {
  id: number;
  key: string;
  agent: string;
  cwd: string;
  day: string;
  /** Empty for the unknown one. */
  model: string;
}

const NANO = 1e9;

/** Session by session, in the order the store first saw them. */
export async function readUsage(
  connection: PostgresConnection,
  query: UsageQuery,
): Promise<{ rows: UsageRow[]; cursor?: string }> {
  const where = new Conditions();
  if (query.cursor !== undefined) {
    const { ordinal, day, model } = decodeUsageCursor(query.cursor);
    where.add("(u.session, u.day, u.model) > (?, ?, ?)", ordinal, day, encodeText(model));
  }
  where.addText("session.key = ?", query.session);
  where.addText("session.agent = ?", query.agent);
  where.addText("u.day >= ?", query.from);
  where.addText("u.day <= ?", query.to);
  where.addOnly(query.only);
  const rows = await connection.query<StoredUsage>(
    `SELECT session.id, session.key, session.agent, session.cwd, u.day, u.model,
      ${USAGE_COUNTS.map((name) => `u.${name}`).join(", ")}
      FROM usage_day u JOIN session ON session.id = u.session WHERE ${where.sql}
      ORDER BY u.session, u.day, u.model LIMIT ${query.limit}`,
    where.values,
  );
  const last = rows.length < query.limit ? undefined : rows.at(-1);
  return {
    rows: rows.map(toUsageRow),
    cursor: last && encodeUsageCursor({ ordinal: last.id, day: last.day, model: decodeText(last.model) }),
  };
}

function toUsageRow(stored: StoredUsage): UsageRow {
  const model = decodeText(stored.model);
  return {
    session: decodeText(stored.key),
    agent: decodeText(stored.agent),
    directory: decodeText(stored.cwd),
    day: stored.day,
    ...(model && { model }),
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
    waitedMs: stored.waited_ms,
    tools: stored.tools,
    asks: stored.asks,
    allowed: stored.allowed,
    denied: stored.denied,
  };
}
