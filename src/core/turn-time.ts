/** How long a turn took, and how much of that only a person was awaited: from an ask until none is open any more. Pure. */
import type { EventOf, SessionEvent } from "./event.ts";
import type { OpenTurn, SessionState } from "./session-state.ts";

export type TurnTime = Pick<EventOf<"turn.ended">, "durationMs" | "waitedMs">;

/** Behind every event that may open the first ask of the turn or settle its last one. */
export function noteWaiting({ turn, asks }: Pick<SessionState, "turn" | "asks">, { at }: SessionEvent): void {
  if (!turn) return;
  const isWaiting = [...asks.values()].some(({ opened, answered }) => opened.turn === turn.id && !answered);
  if (isWaiting) {
    turn.waitingSince ??= at;
    return;
  }
  const waited = waitedUntil(turn, at);
  if (waited > 0) turn.waitedMs = waited;
  turn.waitingSince = undefined;
}

/** Of the turn if it ended at that time. The clock may have been set back, so neither is below 0 nor the part above the whole. */
export function turnTime(turn: OpenTurn, end: number): TurnTime {
  const durationMs = Math.max(0, end - turn.startedAt);
  const waitedMs = Math.min(durationMs, waitedUntil(turn, end));
  return { durationMs, waitedMs: waitedMs > 0 ? waitedMs : undefined };
}

function waitedUntil({ waitedMs = 0, waitingSince }: OpenTurn, at: number): number {
  return waitedMs + (waitingSince === undefined ? 0 : Math.max(0, at - waitingSince));
}
