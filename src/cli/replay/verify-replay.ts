/** Replays a recording and compares the result with the log that was made of it at the time. */
import { compareLogs, type LogDifference } from "../../agents/replay/compare-logs.ts";
import { RecordReplay } from "../../agents/replay/record-replay.ts";
import { endOfCopy } from "../../core/copy-events.ts";
import type { SessionEvent } from "../../core/event.ts";
import { NEVER_READY } from "../../core/raw-record.ts";
import type { ReplaySource } from "./replay-source.ts";

export interface Verdict {
  readonly difference?: LogDifference;
  /** How many stored events there are, and where they are from. */
  readonly events: number;
  readonly from: string;
  /** How many of them were copied from another session: they have no raw records here, and are not compared. */
  readonly copied: number;
}

export async function verifyReplay(source: ReplaySource): Promise<Verdict> {
  // First the log: raw records are committed with their events, so none is missing for these.
  const { events, from } = await source.stored();
  const replay = new RecordReplay(source.protocol, source.options);
  const sent = new Set<number>();
  const failedStarts = new Set<number>();
  const replayed: SessionEvent[] = [];
  for await (const record of source.records()) {
    if (record.direction === "out") sent.add(record.rawSeq);
    if (record.generation === NEVER_READY) failedStarts.add(record.rawSeq);
    replayed.push(...replay.add(record));
  }
  if (!source.isOpen) replayed.push(...replay.end());
  return {
    difference: compareLogs(events, replayed, { sent, failedStarts, isRunning: hasRunningTurn(events) }),
    events: events.length,
    from,
    copied: endOfCopy(events),
  };
}

function hasRunningTurn(events: readonly SessionEvent[]): boolean {
  const last = events.findLast(({ type }) => type === "turn.started" || type === "turn.ended");
  return last?.type === "turn.started";
}
