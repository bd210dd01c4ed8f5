/** The checkpoints of a session as what a person did: prompts with their turns, restores, approvals. Pure. */
import type { Checkpoint } from "../api/types.ts";

interface Moment {
  /** Different for each entry, and the same for the same entry. */
  key: string;
  at: number;
  /** What going back to before this entry restores. Absent where that is no longer kept. */
  checkpoint?: string;
}

export interface RestoredFiles {
  files: number;
  /** Whether it brought back what was undone. */
  isRedo: boolean;
  by?: string;
}

export type TimeLineEntry =
  /** `message` is absent where the agent began by itself. */
  | (Moment & { kind: "turn"; turn: string; message?: string; isRunning: boolean })
  | (Moment & { kind: "restore"; restored?: RestoredFiles })
  | (Moment & { kind: "approved" })
  | (Moment & { kind: "created" });

type TurnEntry = Extract<TimeLineEntry, { kind: "turn" }>;

/** Newest first. */
export function timeLine(checkpoints: readonly Checkpoint[]): TimeLineEntry[] {
  const entries: TimeLineEntry[] = [];
  const turns = new Map<string, TurnEntry>();
  let previous: string | undefined;
  const restores = new Set(checkpoints.flatMap(({ id, kind }) => (kind === "restore" ? [id] : [])));
  for (const { id, at, seq, kind, message, turn, dropped, restored } of checkpoints) {
    const checkpoint = dropped ? undefined : id;
    const moment = { key: String(seq), at, checkpoint };
    const known = turn === undefined ? undefined : turns.get(turn);
    if (known) {
      if (kind === "after") known.isRunning = false;
      if (kind === "approved") entries.push({ kind, ...moment });
    } else if (turn !== undefined && (kind === "before" || kind === "after")) {
      // Without one of its own a turn begins where what was before it ended.
      const begin = kind === "before" ? checkpoint : previous;
      const entry: TurnEntry = {
        ...moment,
        kind: "turn",
        turn,
        message,
        isRunning: kind === "before",
        checkpoint: begin,
      };
      turns.set(turn, entry);
      entries.push(entry);
    } else if (kind === "restore") {
      const told = restored && { files: restored.files, by: restored.by, isRedo: restores.has(restored.to) };
      entries.push({ kind, ...moment, ...(told && { restored: told }) });
    } else if (kind === "approved" || kind === "created") {
      entries.push({ kind, ...moment });
    }
    previous = checkpoint;
  }
  return entries.reverse();
}
