/** Checks the log of one session: every event and raw record is there, once, and can be read. */
import { setImmediate } from "node:timers/promises";
import type { SessionEvent } from "../../core/event.ts";
import { type BlockLines, type Span, splitLines, unpackBlock, upcastLines } from "./block.ts";
import { type CheckedSession, messageOf, type Report } from "./check-report.ts";
import type { Connection } from "./connection.ts";
import type { StoredContent } from "./packed-content.ts";
import { readRawBlob } from "./raw-blob.ts";
import { isStub, readRawLine } from "./raw-line.ts";
import { findLogByNumber } from "./session-row.ts";
import { assertTailRow, SELECT_TAIL, type TailRow } from "./tail-row.ts";

const SELECT_BLOCKS = `SELECT id, first, last, raw_first, raw_last, format FROM block
  WHERE session = ? ORDER BY last, raw_last`;
const SELECT_CONTENT = "SELECT codec, data, checksum FROM block WHERE id = ?";

/** What a log mentions, to be found in its projections. */
export interface Mentioned {
  messages: Set<string>;
  asks: Set<string>;
}

export async function checkSessionLog(
  connection: Connection,
  { id }: CheckedSession,
  report: Report,
): Promise<Mentioned> {
  const mentioned: Mentioned = { messages: new Set(), asks: new Set() };
  // Reads the heads again in the same snapshot as the rest: the session may be growing.
  const { session, blocks, tail } = connection.snapshot(() => ({
    session: findLogByNumber(connection, id),
    blocks: connection.all<Span & { id: number }>(SELECT_BLOCKS, id),
    tail: connection.all<TailRow>(SELECT_TAIL, id),
  }));
  if (!session) return mentioned;
  checkContinuity([...blocks, ...tail], session, report);
  for (const block of blocks) {
    await setImmediate();
    const stored = connection.get<StoredContent>(SELECT_CONTENT, block.id);
    // Packed into a larger block, or deleted, since the snapshot.
    if (!stored) continue;
    try {
      const lines = await unpackBlock(id, block, stored);
      await checkLines(connection, session, block, lines, report);
      for (const line of lines.events) mention(line, mentioned);
    } catch (error) {
      report(`${messageOf(error)}.`);
    }
  }
  for (const row of tail) {
    try {
      assertTailRow(id, row);
      const events = upcastLines(splitLines(row.events), row.format);
      await checkLines(connection, session, row, { events, raws: splitLines(row.raws) }, report);
      for (const line of events) mention(line, mentioned);
    } catch (error) {
      report(`${messageOf(error)}.`);
    }
  }
  return mentioned;
}

function mention(line: string, { messages, asks }: Mentioned): void {
  const event = attempt(() => JSON.parse(line) as SessionEvent);
  switch (event?.type) {
    case "prompt.accepted":
    case "message.started":
    case "message.system":
      messages.add(event.message);
      return;
    case "ask.opened":
      asks.add(event.ask);
  }
}

function checkContinuity(spans: readonly Span[], session: CheckedSession, report: Report): void {
  let event = 0;
  let raw = 0;
  for (const span of spans) {
    if (span.first !== event + 1) report(`event ${span.first} follows event ${event}.`);
    if (span.raw_first !== raw + 1) report(`raw record ${span.raw_first} follows raw record ${raw}.`);
    event = span.last;
    raw = span.raw_last;
  }
  if (event !== session.head) report(`its log ends at event ${event}, its row says ${session.head}.`);
  if (raw !== session.raw_head)
    report(`its log ends at raw record ${raw}, its row says ${session.raw_head}.`);
}

async function checkLines(
  connection: Connection,
  session: CheckedSession,
  span: Span,
  lines: BlockLines,
  report: Report,
): Promise<void> {
  checkCount("events", lines.events, span.first, span.last, report);
  checkCount("raw records", lines.raws, span.raw_first, span.raw_last, report);
  for (const [index, line] of lines.events.entries()) {
    const seq = span.first + index;
    const event = attempt(() => JSON.parse(line) as { seq?: number });
    if (event?.seq !== seq) report(`event ${seq} is not what it should be: ${line.slice(0, 80)}`);
  }
  for (const [index, line] of lines.raws.entries()) {
    const rawSeq = span.raw_first + index;
    const raw = attempt(() => readRawLine(line));
    if (raw?.rawSeq !== rawSeq) report(`raw record ${rawSeq} is not what it should be: ${line.slice(0, 80)}`);
    else if (isStub(raw)) await checkBlob(connection, session, rawSeq, report);
  }
}

function checkCount(
  what: string,
  lines: readonly string[],
  first: number,
  last: number,
  report: Report,
): void {
  const expected = last - first + 1;
  if (lines.length !== expected)
    report(`${what} ${first} to ${last} are ${lines.length} lines instead of ${expected}.`);
}

async function checkBlob(connection: Connection, session: CheckedSession, rawSeq: number, report: Report) {
  try {
    await readRawBlob(connection, session.id, rawSeq);
  } catch (error) {
    report(`${messageOf(error)}.`);
  }
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
