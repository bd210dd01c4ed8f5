/** A raw record as a line of a recording. The format is described in docs/guides/recordings.md. */
import { z } from "zod";
import { jsonPieces } from "./long-json.ts";
import type { RawRecord } from "./raw-record.ts";
import { finish, type Steps } from "./steps.ts";

export const recordingLineSchema = z.looseObject({
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

export type RecordingLine = z.infer<typeof recordingLineSchema>;

/** Kinds that say no more than `dir` does: the message is the line. */
export const PLAIN_KINDS: readonly (string | undefined)[] = [undefined, "stdin", "stdout"];

/** The fields of a line that belong to the recording and not to a message. */
export const OWN_FIELDS: readonly string[] = ["dir", "t", "at", "generation", "raw"];

/** The line of a record; `startedAt` is the time its `t` counts from. */
export function toRecordingLine(record: RawRecord, startedAt: number): RecordingLine {
  return finish(recordingLineSteps(record, startedAt));
}

/** As `toRecordingLine`, for records that may have many megabytes. */
export function* recordingLineSteps(record: RawRecord, startedAt: number): Steps<RecordingLine> {
  const { direction, generation, at, data } = record;
  const head = { t: Math.max(0, at - startedAt), at, generation };
  if (typeof data === "string")
    return { dir: direction === "in" ? "agent" : "client", ...head, ...(yield* messageSteps(data)) };
  const kind = data.event === "stderr" ? "stderr" : "proc";
  return { dir: "meta", ...head, kind, msg: data };
}

function* messageSteps(data: string): Steps<Pick<RecordingLine, "kind" | "msg" | "raw">> {
  try {
    const msg: unknown = JSON.parse(data);
    yield;
    if (yield* isJsonOf(msg, data)) return isEnvelope(msg) ? msg : { msg };
  } catch {
    // No JSON: the text itself is kept.
  }
  return { raw: data };
}

/** Whether `JSON.stringify` gives this text. */
function* isJsonOf(value: unknown, text: string): Steps<boolean> {
  let at = 0;
  for (const piece of jsonPieces(value)) {
    if (!text.startsWith(piece, at)) return false;
    at += piece.length;
    yield;
  }
  return at === text.length;
}

/** A message with what is to be known about its way, as agents that speak HTTP have it: `{kind, stream, msg}`. */
function isEnvelope(message: unknown): message is { kind: string; msg: unknown } {
  if (typeof message !== "object" || message === null || !("kind" in message && "msg" in message))
    return false;
  const isFree = OWN_FIELDS.every((field) => !(field in message));
  return typeof message.kind === "string" && !PLAIN_KINDS.includes(message.kind) && isFree;
}
