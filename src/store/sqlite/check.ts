/** Reads everything once and says what is wrong, in sentences. Changes nothing. */
import { setImmediate } from "node:timers/promises";
import type { IntegrityReport } from "../../core/store.ts";
import { type CheckedSession, collectReport, messageOf, type Report } from "../check-report.ts";
import { checkPeople } from "./check-people.ts";
import { checkProjections } from "./check-projections.ts";
import { checkSessionLog } from "./check-session-log.ts";
import type { Connection } from "./connection.ts";
import { TABLES_OF_SESSION } from "./delete-session.ts";
import { assertSessionRecord, SESSION_COLUMNS, type SessionRecord } from "./session-row.ts";

const SELECT_RECORD = `SELECT ${SESSION_COLUMNS} FROM session WHERE id = ?`;

export function checkDatabase(connection: Connection): Promise<IntegrityReport> {
  return collectReport(async (report, count) => {
    checkFile(connection, report);
    checkOrphans(connection, report);
    await checkPeople(connection, report);
    for (const { id } of connection.all<{ id: number }>("SELECT id FROM session ORDER BY id")) {
      const session = await checkSession(connection, id, report);
      if (session) count(session.head);
    }
  });
}

/** Undefined when the session was deleted before its turn came. */
async function checkSession(connection: Connection, id: number, report: Report) {
  // Yields to others: a check of a large database takes minutes.
  await setImmediate();
  const sql = "SELECT id, key, head, raw_head FROM session WHERE id = ?";
  const session = connection.get<CheckedSession>(sql, id);
  if (!session) return undefined;
  const reportHere: Report = (problem) => report(`Session "${session.key}": ${problem}`);
  try {
    const record = connection.get<SessionRecord>(SELECT_RECORD, id);
    if (record) assertSessionRecord(record);
    const mentioned = await checkSessionLog(connection, session, reportHere);
    await checkProjections(connection, session, mentioned, reportHere);
  } catch (error) {
    reportHere(`it cannot be read: ${messageOf(error)}.`);
  }
  return session;
}

/** SQLite's own check: pages, indexes, and the search index. */
function checkFile(connection: Connection, report: Report): void {
  for (const { integrity_check } of connection.all<{ integrity_check: string }>("PRAGMA integrity_check")) {
    if (integrity_check !== "ok") report(`The database file is damaged: ${integrity_check}.`);
  }
}

function checkOrphans(connection: Connection, report: Report): void {
  for (const table of TABLES_OF_SESSION) {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE session NOT IN (SELECT id FROM session)`;
    const { count } = connection.get<{ count: number }>(sql) ?? { count: 0 };
    if (count > 0) report(`The table ${table} has ${count} rows of sessions that do not exist.`);
  }
}
