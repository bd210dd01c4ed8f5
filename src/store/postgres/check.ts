/** Reads everything once and says what is wrong, in sentences. Changes nothing. */
import type { IntegrityReport } from "../../core/store.ts";
import { checkInvitations, collectReport, messageOf, type Report, reportFailure } from "../check-report.ts";
import { parseStored } from "../damaged-data.ts";
import type { AskColumns } from "../format/ask-columns.ts";
import { type Span, unpackBlock, upcastLines } from "../format/block.ts";
import { checkContinuity, checkLines, type Mentioned, mention } from "../format/check-lines.ts";
import { type StoredRecord, unpackRecord } from "../format/message-record.ts";
import { type StoredPiece, unpackPiece } from "../format/pack-memory.ts";
import type { StoredContent } from "../format/packed-content.ts";
import { SELECTED_ASK } from "./asks.ts";
import { readAudit } from "./audit.ts";
import type { PostgresConnection, RunStatement } from "./connection.ts";
import { TABLES_OF_SESSION } from "./delete-session.ts";
import { FIRST_PIECE, type PiecePlace, readPieces } from "./memory.ts";
import { type NumberedMessage, SELECTED_MESSAGE } from "./messages.ts";
import { readInvitations, readTokens } from "./people.ts";
import { readRawBlob, storedTailLines, type TailRow } from "./postgres-log.ts";
import { decodeSession, SESSION_COLUMNS, SESSIONS, type SessionRecord } from "./session-row.ts";
import { readSnapshot } from "./snapshot.ts";
import { decodeText } from "./stored-text.ts";

/** How many sessions, messages and entries are read at once. */
const SESSIONS_AT_ONCE = 500;
const ROWS_AT_ONCE = 200;

type CheckedSession = SessionRecord & {
  packed: number;
  raw_packed: number;
  tail_events: number;
  tail_bytes: number;
};

type StoredSpan = Span & { isBlock: boolean; bytes: number };

export function checkDatabase(connection: PostgresConnection): Promise<IntegrityReport> {
  return collectReport(async (report, count) => {
    await checkOrphans(connection, report);
    await checkPeople(connection, report);
    for (let last = 0; ; ) {
      const ids = await connection.query<{ id: number }>(
        `SELECT id FROM session WHERE id > $1 ORDER BY id LIMIT ${SESSIONS_AT_ONCE}`,
        [last],
      );
      for (const { id } of ids) {
        const head = await connection.snapshot((run) => checkSession(run, id, report));
        if (head !== undefined) count(head);
      }
      if (ids.length < SESSIONS_AT_ONCE) break;
      last = ids.at(-1)!.id;
    }
  });
}

/** Its head. Undefined when the session was deleted before its turn came. */
async function checkSession(run: RunStatement, id: number, report: Report): Promise<number | undefined> {
  const sql = `SELECT ${SESSION_COLUMNS}, packed, raw_packed, tail_events, tail_bytes FROM ${SESSIONS} WHERE session.id = $1`;
  const [session] = await run<CheckedSession>(sql, [id]);
  if (!session) return undefined;
  const reportHere: Report = (problem) => report(`Session "${decodeText(session.key)}": ${problem}`);
  await reportFailure(reportHere, () => decodeSession(session));
  const mentioned = await checkLog(run, session, reportHere);
  await checkMessages(run, session, mentioned, reportHere);
  await checkAsks(run, session, mentioned, reportHere);
  await reportFailure(reportHere, () => checkSnapshot(run, session, reportHere));
  await checkMemory(run, session.id, reportHere);
  return session.head;
}

async function checkLog(run: RunStatement, session: CheckedSession, report: Report): Promise<Mentioned> {
  const mentioned: Mentioned = { messages: new Set(), asks: new Set() };
  const columns = "first, last, raw_first, raw_last, format, length(data) AS bytes";
  const spans = await run<StoredSpan>(
    `SELECT * FROM (SELECT ${columns}, true AS "isBlock" FROM block WHERE session = $1
      UNION ALL SELECT ${columns}, false FROM tail WHERE session = $1) spans ORDER BY last, raw_last`,
    [session.id],
  );
  checkContinuity(spans, session, report);
  checkExtent(spans, session, report);
  const readBlob = (rawSeq: number) => readRawBlob({ query: run }, session.id, rawSeq);
  for (const span of spans)
    await reportFailure(report, async () => {
      const lines = await readLines(run, session.id, span);
      await checkLines(span, lines, report, readBlob);
      for (const line of lines.events) mention(line, mentioned);
    });
  return mentioned;
}

/** Whether what stands beside the head fits the rows. */
function checkExtent(spans: readonly StoredSpan[], session: CheckedSession, report: Report): void {
  const tail = spans.filter(({ isBlock }) => !isBlock);
  const events = tail.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const bytes = tail.reduce((sum, span) => sum + span.bytes, 0);
  const block = spans.findLast(({ isBlock }) => isBlock);
  if (events !== session.tail_events || bytes !== session.tail_bytes)
    report(
      `its tail has ${events} events in ${bytes} bytes, its head says ${session.tail_events} in ${session.tail_bytes}.`,
    );
  if ((block?.last ?? 0) !== session.packed || (block?.raw_last ?? 0) !== session.raw_packed)
    report(`it is packed up to event ${block?.last ?? 0}, its head says ${session.packed}.`);
}

async function readLines(
  run: RunStatement,
  session: number,
  { isBlock, last, raw_last, ...span }: StoredSpan,
) {
  const table = isBlock ? "block" : "tail";
  const [row] = await run<TailRow & StoredContent>(
    `SELECT * FROM ${table} WHERE session = $1 AND last = $2 AND raw_last = $3`,
    [session, last, raw_last],
  );
  if (isBlock) return unpackBlock(session, { ...span, last, raw_last }, row!);
  const { events, raws } = storedTailLines(session, row!);
  return { events: upcastLines(events, span.format), raws };
}

async function checkMessages(
  run: RunStatement,
  session: CheckedSession,
  { messages: missing }: Mentioned,
  report: Report,
): Promise<void> {
  for (let after = 0; ; ) {
    const messages = await run<NumberedMessage & StoredRecord>(
      `SELECT ${SELECTED_MESSAGE}, codec, checksum, record FROM message WHERE session = $1 AND number > $2
        ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
      [session.id, after],
    );
    for (const message of messages) {
      const id = decodeText(message.id);
      missing.delete(id);
      const { first_seq: first, last_seq: last } = message;
      if (!isInLog(session, first) || !isInLog(session, last) || last < first)
        report(`message "${id}" is of events ${first} to ${last}, the log has 1 to ${session.head}.`);
      await reportFailure(report, () => unpackRecord(session.id, id, message));
      after = message.number;
    }
    if (messages.length < ROWS_AT_ONCE) break;
  }
  for (const message of missing) report(`message "${message}" is in the log and not beside it.`);
}

async function checkAsks(
  run: RunStatement,
  session: CheckedSession,
  { asks: missing }: Mentioned,
  report: Report,
): Promise<void> {
  const asks = await run<AskColumns>(`SELECT ${SELECTED_ASK} FROM ask WHERE session = $1`, [session.id]);
  for (const stored of asks) {
    const ask = decodeText(stored.ask);
    missing.delete(ask);
    if (!isInLog(session, stored.opened_seq))
      report(`ask "${ask}" was opened by event ${stored.opened_seq}, which is not in the log.`);
    for (const json of [stored.opened, stored.answered ?? "null"])
      await reportFailure(report, () => parseStored(decodeText(json), `ask "${ask}"`));
  }
  for (const ask of missing) report(`ask "${ask}" is in the log and not beside it.`);
}

async function checkSnapshot(run: RunStatement, session: CheckedSession, report: Report): Promise<void> {
  const snapshot = await readSnapshot(run, session.id);
  if (!snapshot) return;
  if (snapshot.seq > session.head)
    report(`its snapshot is of event ${snapshot.seq}, which is not in the log.`);
  parseStored(snapshot.json, "its snapshot");
}

async function checkMemory(run: RunStatement, session: number, report: Report): Promise<void> {
  let place: PiecePlace | undefined = FIRST_PIECE;
  while (place) {
    const page: StoredPiece[] = await readPieces(run, session, place);
    for (const piece of page) await reportFailure(report, () => unpackPiece(session, piece));
    place = page.at(-1);
  }
}

async function checkPeople(connection: PostgresConnection, report: Report): Promise<void> {
  const leaveOut = (error: unknown) => report(`${messageOf(error)}.`);
  const tokens = await readTokens(connection, leaveOut);
  const invitations = await readInvitations(connection, undefined, leaveOut);
  checkInvitations(tokens, invitations, report);
  let before: number | undefined;
  do before = (await readAudit(connection, { limit: ROWS_AT_ONCE * 10, before })).before;
  while (before !== undefined);
}

async function checkOrphans(connection: PostgresConnection, report: Report): Promise<void> {
  const lost = "NOT EXISTS (SELECT 1 FROM session WHERE session.id = t.session)";
  for (const table of [...TABLES_OF_SESSION, "log_head"]) {
    const [found] = await connection.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} t WHERE ${lost}`,
    );
    if (found && found.count > 0)
      report(`The table ${table} has ${found.count} rows of sessions that do not exist.`);
  }
  const [headless] = await connection.query<{ count: number }>(
    "SELECT count(*) AS count FROM session WHERE NOT EXISTS (SELECT 1 FROM log_head WHERE session = session.id)",
  );
  if (headless && headless.count > 0) report(`The table log_head lacks ${headless.count} sessions.`);
}

function isInLog(session: CheckedSession, seq: number): boolean {
  return seq >= 1 && seq <= session.head;
}
