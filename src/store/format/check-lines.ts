/** Checks lines of a log: each event and raw record is there, once, and can be read. */
import type { SessionEvent } from "../../core/event.ts";
import { messageOf, type Report } from "../check-report.ts";
import type { BlockLines, Span } from "./block.ts";
import { isStub, readRawLine } from "./raw-line.ts";

/** What a log mentions, to be found in its projections. */
export interface Mentioned {
  messages: Set<string>;
  asks: Set<string>;
}

/** Notes what an event mentions that has rows of its own. */
export function mention(line: string, { messages, asks }: Mentioned): void {
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

/** Whether the parts of a log follow each other, from its beginning to its end. */
export function checkContinuity(
  spans: readonly Span[],
  session: { head: number; raw_head: number },
  report: Report,
): void {
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

/** @param readBlob Reads the data of a record that is out of line, or throws. */
export async function checkLines(
  span: Span,
  lines: BlockLines,
  report: Report,
  readBlob: (rawSeq: number) => Promise<unknown>,
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
    else if (isStub(raw)) await readBlob(rawSeq).catch((error: unknown) => report(`${messageOf(error)}.`));
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

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
