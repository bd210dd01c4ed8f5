/** Raw records: what the agent or we really sent, or what happened to the process, kept beside the events. */
import { z } from "zod";

export const processRecordSchema = z.looseObject({
  event: z.enum(["spawn", "exit", "signal", "stderr", "timeout"]),
});

export const rawRecordSchema = z.object({
  rawSeq: z.number().int().positive(),
  direction: z.enum(["in", "out", "process"]),
  /** Which process of the session: 1 for the first, 2 after a restart… 0 for one that never became ready. */
  generation: z.number().int().nonnegative(),
  /** Negative if the clock is set before 1970. */
  at: z.number().int(),
  /** The line as it went over the wire (`in`, `out`), or a process record. */
  data: z.union([z.string(), processRecordSchema]),
});

/** The generation of records whose process never became ready. */
export const NEVER_READY = 0;

/** What happened to a process. */
export type ProcessRecord = z.infer<typeof processRecordSchema>;
/** One line in either direction, or what happened to the process. */
export type RawRecord = z.infer<typeof rawRecordSchema>;

/** The first record of a process that never became ready. */
export function isFailedStart({ generation, data }: Pick<RawRecord, "generation" | "data">): boolean {
  return generation === NEVER_READY && typeof data === "object" && data.event === "spawn";
}

/** What a stream puts beside an event on request: where it came from. */
export interface RawOrigin {
  /** With the agent's own id of the conversation. */
  rawRecord?: RawRecord & { agentSessionId?: string };
}

/** A raw record before the engine has numbered it. */
export type RawDraft =
  | { direction: "in" | "out"; data: string }
  | { direction: "process"; data: ProcessRecord };
