/** Checks what is kept beside the log of one session: messages, asks and the snapshot. */
import { setImmediate } from "node:timers/promises";
import { unpack } from "../codec.ts";
import { type CheckedSession, messageOf, type Report } from "./check-report.ts";
import type { Mentioned } from "./check-session-log.ts";
import type { Connection } from "./connection.ts";

interface StoredMessage {
  id: string;
  first_seq: number;
  last_seq: number;
}

interface StoredAsk {
  ask: string;
  opened_seq: number;
  opened: string;
  answered: string | null;
}

const SELECT_HEAD = "SELECT head FROM session WHERE id = ?";
const SELECT_MESSAGES = "SELECT id, first_seq, last_seq FROM message WHERE session = ?";
const SELECT_RECORD =
  "SELECT codec, record FROM message WHERE session = ? AND id = ? AND record IS NOT NULL AND codec IS NOT NULL";
const SELECT_ASKS = "SELECT ask, opened_seq, opened, answered FROM ask WHERE session = ?";
const SELECT_SNAPSHOT = "SELECT seq, json FROM snapshot WHERE session = ?";

export async function checkProjections(
  connection: Connection,
  { id }: CheckedSession,
  mentioned: Mentioned,
  report: Report,
): Promise<void> {
  const { session, messages, asks, snapshot } = connection.snapshot(() => ({
    session: connection.get<{ head: number }>(SELECT_HEAD, id),
    messages: connection.all<StoredMessage>(SELECT_MESSAGES, id),
    asks: connection.all<StoredAsk>(SELECT_ASKS, id),
    snapshot: connection.get<{ seq: number; json: string }>(SELECT_SNAPSHOT, id),
  }));
  if (!session) return;
  const inLog = (seq: number) => seq >= 1 && seq <= session.head;

  // What the log spoke of when it was read has its rows: they are written together.
  for (const message of messages) mentioned.messages.delete(message.id);
  for (const missing of mentioned.messages) report(`message "${missing}" is in the log and not beside it.`);
  for (const ask of asks) mentioned.asks.delete(ask.ask);
  for (const missing of mentioned.asks) report(`ask "${missing}" is in the log and not beside it.`);

  for (const message of messages) {
    const { first_seq: first, last_seq: last } = message;
    if (!inLog(first) || !inLog(last) || last < first) {
      report(`message "${message.id}" is of events ${first} to ${last}, the log has 1 to ${session.head}.`);
    }
    await checkRecord(connection, id, message.id, report);
  }
  for (const ask of asks) {
    if (!inLog(ask.opened_seq))
      report(`ask "${ask.ask}" was opened by event ${ask.opened_seq}, which is not in the log.`);
    for (const json of [ask.opened, ask.answered ?? "null"]) checkJson(`ask "${ask.ask}"`, json, report);
  }
  if (!snapshot) return;
  if (snapshot.seq > session.head)
    report(`its snapshot is of event ${snapshot.seq}, which is not in the log.`);
  checkJson("its snapshot", snapshot.json, report);
}

async function checkRecord(
  connection: Connection,
  session: number,
  message: string,
  report: Report,
): Promise<void> {
  const stored = connection.get<{ codec: number; record: Uint8Array }>(SELECT_RECORD, session, message);
  if (!stored) return;
  await setImmediate();
  try {
    JSON.parse(await unpack(stored.record, stored.codec));
  } catch (error) {
    report(`the record of message "${message}" cannot be read: ${messageOf(error)}.`);
  }
}

function checkJson(what: string, json: string, report: Report): void {
  try {
    JSON.parse(json);
  } catch (error) {
    report(`${what} is not valid JSON: ${messageOf(error)}.`);
  }
}
