/** Usage totals per session, day and model. */
import type { UsageQuery, UsageRow } from "../../core/store.ts";
import { toUsageRow, USAGE_COUNTS, type UsageColumns } from "../format/usage-columns.ts";
import { decodeUsageCursor, encodeUsageCursor } from "../list-cursor.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { decodeText, decodeTexts, encodeText } from "./stored-text.ts";

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
  const rows = await connection.query<UsageColumns & { id: number }>(
    `SELECT session.id, session.key, session.agent, session.cwd, u.day, u.model,
      ${USAGE_COUNTS.map((name) => `u.${name}`).join(", ")}
      FROM usage_day u JOIN session ON session.id = u.session WHERE ${where.sql}
      ORDER BY u.session, u.day, u.model LIMIT ${query.limit}`,
    where.values,
  );
  const last = rows.length < query.limit ? undefined : rows.at(-1);
  return {
    rows: rows.map((row) => toUsageRow(decodeTexts(row))),
    cursor: last && encodeUsageCursor({ ordinal: last.id, day: last.day, model: decodeText(last.model) }),
  };
}
