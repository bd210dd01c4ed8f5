/** Rows of the live tail: what one commit added to one session's log, not packed yet. */
import { EVENT_FORMAT } from "../../core/event.ts";
import { assertContent, type Checksum, contentChecksum } from "../format/checksum.ts";
import type { LogPart } from "../format/cut-blocks.ts";
import type { Connection } from "./connection.ts";

export interface TailRow extends LogPart {
  id: number;
  events_checksum: Checksum;
  raws_checksum: Checksum;
}

export type TailEvents = Pick<TailRow, "first" | "last" | "format" | "events" | "events_checksum">;
export type TailRaws = Pick<TailRow, "raw_first" | "raw_last" | "raws" | "raws_checksum">;

export const SELECT_TAIL = `SELECT id, first, last, raw_first, raw_last, format, events, raws, events_checksum, raws_checksum
  FROM tail WHERE session = ? ORDER BY last, id`;

const INSERT = `INSERT INTO tail
  (session, first, last, raw_first, raw_last, format, events, raws, events_checksum, raws_checksum)
  VALUES (?, ?, ?, ?, ?, ${EVENT_FORMAT}, ?, ?, ?, ?)`;

export function insertTailRow(connection: Connection, session: number, part: LogPart): void {
  const { first, last, raw_first, raw_last, events, raws } = part;
  const checksums = [eventsChecksum(session, part), rawsChecksum(session, part)];
  connection.run(INSERT, session, first, last, raw_first, raw_last, events, raws, ...checksums);
}

export function eventsChecksum(session: number, part: LogPart): number {
  return contentChecksum(part.events, placeOfEvents(session, part));
}

export function rawsChecksum(session: number, part: LogPart): number {
  return contentChecksum(part.raws, placeOfRaws(session, part));
}

export function assertTailRow(session: number, row: TailRow): void {
  assertTailEvents(session, row);
  assertTailRaws(session, row);
}

export function assertTailEvents(session: number, row: TailEvents): void {
  const what = `the row of events ${row.first} to ${row.last}`;
  assertContent(row.events_checksum, what, row.events, "text", placeOfEvents(session, row));
}

export function assertTailRaws(session: number, row: TailRaws): void {
  const what = `the row of raw records ${row.raw_first} to ${row.raw_last}`;
  assertContent(row.raws_checksum, what, row.raws, "text", placeOfRaws(session, row));
}

function placeOfEvents(session: number, row: Pick<LogPart, "first" | "last" | "format">): string {
  return `${session} ${row.first} ${row.last} ${row.format}`;
}

function placeOfRaws(session: number, row: Pick<LogPart, "raw_first" | "raw_last">): string {
  return `${session} ${row.raw_first} ${row.raw_last}`;
}
