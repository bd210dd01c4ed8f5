/** Checks what is kept beside the log of one session: messages, asks, usage and the snapshot. */
import { setImmediate } from "node:timers/promises";
import { type CheckedSession, type Report, reportFailure } from "../check-report.ts";
import { parseStored } from "../damaged-data.ts";
import type { Mentioned } from "../format/check-lines.ts";
import { assertAsk, SELECT_ASKS, type StoredAsk } from "./asks.ts";
import type { Connection } from "./connection.ts";
import { type PiecePlace, readPiece, SELECT_PLACES } from "./memory.ts";
import {
  assertText,
  isSearched,
  SELECT_TEXT,
  SELECT_TEXT_NUMBERS,
  type StoredText,
} from "./message-texts.ts";
import { assertMessage, type CheckedMessage, checkRecord, SELECT_MESSAGES } from "./messages.ts";
import { findLogByNumber } from "./session-row.ts";
import { readSnapshot } from "./snapshot.ts";
import { assertUsage, SELECT_DAYS, type StoredUsage } from "./usage.ts";

export async function checkProjections(
  connection: Connection,
  { id }: CheckedSession,
  mentioned: Mentioned,
  report: Report,
): Promise<void> {
  const { session, messages, asks, days, texts } = connection.snapshot(() => ({
    session: findLogByNumber(connection, id),
    messages: connection.all<CheckedMessage>(SELECT_MESSAGES, id),
    asks: connection.all<StoredAsk>(SELECT_ASKS, id),
    days: connection.all<StoredUsage>(SELECT_DAYS, id),
    texts: connection.all<{ id: number }>(SELECT_TEXT_NUMBERS, id),
  }));
  if (!session) return;
  const inLog = (seq: number) => seq >= 1 && seq <= session.head;

  // Everything the log mentions has its rows: they are written together.
  for (const message of messages) mentioned.messages.delete(message.id);
  for (const missing of mentioned.messages) report(`message "${missing}" is in the log and not beside it.`);
  for (const ask of asks) mentioned.asks.delete(ask.ask);
  for (const missing of mentioned.asks) report(`ask "${missing}" is in the log and not beside it.`);

  for (const message of messages) {
    await reportFailure(report, () => assertMessage(id, message));
    const { first_seq: first, last_seq: last } = message;
    if (!inLog(first) || !inLog(last) || last < first) {
      report(`message "${message.id}" is of events ${first} to ${last}, the log has 1 to ${session.head}.`);
    }
    await setImmediate();
    await reportFailure(report, () => checkRecord(connection, id, message.id));
  }
  for (const ask of asks) {
    await reportFailure(report, () => assertAsk(id, ask));
    if (!inLog(ask.opened_seq))
      report(`ask "${ask.ask}" was opened by event ${ask.opened_seq}, which is not in the log.`);
    for (const json of [ask.opened, ask.answered ?? "null"])
      await reportFailure(report, () => parseStored(json, `ask "${ask.ask}"`));
  }
  for (const number of texts) {
    const text = connection.get<StoredText>(SELECT_TEXT, number.id);
    if (!text) continue;
    await reportFailure(report, () => assertText(text));
    if (!isSearched(connection, text.id)) report("a message's text is not in the index of the search.");
  }
  for (const day of days) await reportFailure(report, () => assertUsage(id, day));
  for (const place of connection.all<PiecePlace>(SELECT_PLACES, id))
    await reportFailure(report, () => readPiece(connection, id, place));
  await reportFailure(report, () => checkSnapshot(connection, id, report));
}

/** Read now: it may be newer than the rest. */
function checkSnapshot(connection: Connection, session: number, report: Report): void {
  const { head, snapshot } = connection.snapshot(() => ({
    head: findLogByNumber(connection, session)?.head ?? 0,
    snapshot: readSnapshot(connection, session),
  }));
  if (!snapshot) return;
  if (snapshot.seq > head) report(`its snapshot is of event ${snapshot.seq}, which is not in the log.`);
  parseStored(snapshot.json, "its snapshot");
}
