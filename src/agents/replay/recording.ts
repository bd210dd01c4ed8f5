/**
 * Recordings: raw records as lines of JSON that people keep, read and send to each other.
 * The format is described in docs/guides/recordings.md.
 */
import { z } from "zod";
import { type ProcessRecord, processRecordSchema, type RawRecord } from "../../core/raw-record.ts";

const lineSchema = z.looseObject({
  dir: z.enum(["agent", "client", "meta"]),
  /** Milliseconds since the recording began. */
  t: z.number().nonnegative(),
  /** Milliseconds since the epoch, where it is known. */
  at: z.number().int().nonnegative().optional(),
  /** Which process of the session; else the spawns are counted. */
  generation: z.number().int().nonnegative().optional(),
  /** For `meta`: `proc`, `stderr` or `note`. For the others how the message travelled, where that is not a plain line. */
  kind: z.string().optional(),
  msg: z.unknown().optional(),
  /** In place of `msg`: the exact line, where it was no JSON or JSON that would not come back the same. */
  raw: z.string().optional(),
});

type RecordingLine = z.infer<typeof lineSchema>;

/** Kinds that say no more than `dir` does: the message is the line. */
const PLAIN_KINDS: readonly (string | undefined)[] = [undefined, "stdin", "stdout"];

/** The fields of a line that belong to the recording and not to a message. */
const OWN_FIELDS = ["dir", "t", "at", "generation", "raw"];

/** The line of a record; `startedAt` is the time its `t` counts from. */
export function toRecordingLine(record: RawRecord, startedAt: number): RecordingLine {
  const { direction, generation, at, data } = record;
  const head = { t: Math.max(0, at - startedAt), at, generation };
  if (typeof data === "string")
    return { dir: direction === "in" ? "agent" : "client", ...head, ...toMessage(data) };
  const kind = data.event === "stderr" ? "stderr" : "proc";
  return { dir: "meta", ...head, kind, msg: data };
}

/** Where a line stands in its recording. */
interface RecordingPlace {
  readonly rawSeq: number;
  readonly generation: number;
  /** What `t` counts from. */
  readonly startedAt: number;
}

/** The record of a line; undefined for a remark. Throws an error of zod for what is no line of a recording. */
export function fromRecordingLine(value: unknown, place: RecordingPlace): RawRecord | undefined {
  lineSchema.parse(value);
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

function toMessage(data: string): Pick<RecordingLine, "kind" | "msg" | "raw"> {
  try {
    const msg: unknown = JSON.parse(data);
    if (JSON.stringify(msg) === data) return isEnvelope(msg) ? msg : { msg };
  } catch {
    // No JSON: the text itself is kept.
  }
  return { raw: data };
}

/** A message with what is to be known about its way, as agents that speak HTTP have it: `{kind, stream, msg}`. */
function isEnvelope(message: unknown): message is { kind: string; msg: unknown } {
  if (typeof message !== "object" || message === null || !("kind" in message && "msg" in message))
    return false;
  const isFree = OWN_FIELDS.every((field) => !(field in message));
  return typeof message.kind === "string" && !PLAIN_KINDS.includes(message.kind) && isFree;
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
  const { event, ...details } = isRecord(msg) ? msg : { event: msg ?? raw };
  return { event: "signal", native: String(event), ...details };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
