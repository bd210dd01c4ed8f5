/** Reads the part of a recording that one process of an agent has played. */

import { fromRecordingLine } from "../../agents/replay/recording.ts";
import type { RawRecord } from "../../core/raw-record.ts";

export interface RecordedLine {
  /** The number of the line in its file, from 1. */
  readonly number: number;
  readonly record: RawRecord;
}

/** Kinds of lines that went over pipes; others went over HTTP or a socket. */
const PIPED = [undefined, "stdin", "stdout"];

/** The lines from one spawn to the next. What stands before the first spawn belongs to the first process. */
export function readRecording(text: string, process = 1): RecordedLine[] {
  const lines: RecordedLine[] = [];
  let generation = 0;
  for (const [index, source] of text.split("\n").entries()) {
    if (source === "") continue;
    const line = JSON.parse(source);
    if (line.dir !== "meta" && !PIPED.includes(line.kind)) {
      throw new Error(`Line ${index + 1} went over ${line.kind}; only what went over pipes can be played.`);
    }
    const number = index + 1;
    const record = fromRecordingLine(line, { rawSeq: number, generation, startedAt: 0 });
    if (!record) continue;
    if (isEvent(record, "spawn")) generation += 1;
    if (Math.max(generation, 1) === process) lines.push({ number, record });
  }
  return lines;
}

export function isEvent({ data }: RawRecord, event: string): boolean {
  return typeof data !== "string" && data.event === event;
}
