/** Lines of recordings, read back as raw records. The format is described in docs/guides/recordings.md. */
import { isObject } from "../../core/is-record.ts";
import { type ProcessRecord, processRecordSchema, type RawRecord } from "../../core/raw-record.ts";
import {
  OWN_FIELDS,
  PLAIN_KINDS,
  type RecordingLine,
  recordingLineSchema,
} from "../../core/recording-line.ts";

/** Where a line stands in its recording. */
interface RecordingPlace {
  readonly rawSeq: number;
  readonly generation: number;
  /** What `t` counts from. */
  readonly startedAt: number;
}

/** The record of a line; undefined for a remark. Throws an error of zod for what is no line of a recording. */
export function fromRecordingLine(value: unknown, place: RecordingPlace): RawRecord | undefined {
  recordingLineSchema.parse(value);
  // Not what zod gives back: the order of the keys is part of a message.
  const line = value as RecordingLine;
  const head = {
    rawSeq: place.rawSeq,
    generation: line.generation ?? place.generation,
    at: line.at ?? Math.round(place.startedAt + line.t),
  };
  if (line.dir !== "meta") {
    return { ...head, direction: line.dir === "agent" ? "in" : "out", data: toData(line) };
  }
  if (line.kind === "note") return undefined;
  return { ...head, direction: "process", data: toProcessRecord(line) };
}

function toData(line: RecordingLine): string {
  if (line.raw !== undefined) return line.raw;
  if (PLAIN_KINDS.includes(line.kind)) return JSON.stringify(line.msg) ?? "";
  // What else the line tells about the message belongs to it: which stream it came on, say.
  const message = Object.entries(line).filter(([field]) => !OWN_FIELDS.includes(field));
  return JSON.stringify(Object.fromEntries(message));
}

function toProcessRecord({ kind, msg, raw }: RecordingLine): ProcessRecord {
  if (kind === "stderr" && typeof msg !== "object")
    return { event: "stderr", text: String(msg ?? raw ?? "") };
  const known = processRecordSchema.safeParse(msg);
  if (known.success) return known.data;
  // Other recorders have words of their own, `kill -9` say: something was done to the process.
  const { event, ...details } = isObject(msg) ? msg : { event: msg ?? raw };
  return { event: "signal", native: String(event), ...details };
}
