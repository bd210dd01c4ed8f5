/** The end of a turn of Claude Code. It is the end of ours when no prompt waits for the next one. */
import type { Draft } from "../../../core/draft.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { ResultLine } from "../wire.ts";
import { endCompaction } from "./compaction.ts";
import { takeUp, waitingAfter } from "./prompts.ts";
import { breakStream } from "./stream-events.ts";
import { turnEnd } from "./turn-outcome.ts";
import { settleUsage } from "./usage.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

export function readResult(state: ClaudeState, line: ResultLine): Translation {
  const end = turnEnd(line, state.failure);
  if (state.opening === "sent" && end.error)
    return [{ ...state, opening: { failed: end.error.message } }, []];
  const { stopReason } = state;
  const [compacted, compaction] = endCompaction(state);
  const [taken, takenDrafts] = takeUp(compacted);
  const [closed, broken] = breakStream(taken, end.outcome === "interrupted" ? "stop" : "failure");
  const [settled, usage] = settleUsage(closed, line);
  const waiting = waitingAfter(settled, line);
  const isHeld = waiting.length > 0;
  const drafts: Draft[] = [
    ...compaction,
    ...takenDrafts,
    ...(state.hasSpoken ? [] : unspoken(line)),
    ...broken,
    { type: "step.ended", reason: stopReason },
    ...usage,
    ...(isHeld
      ? failureNotice(end.error)
      : [{ type: "turn.ended" as const, ...end, native: state.lastEntry }]),
  ];
  return [afterResult(settled, waiting), drafts];
}

function afterResult(state: ClaudeState, prompts: ClaudeState["prompts"]): ClaudeState {
  // What runs in the background may still ask and call.
  const hasBackground = [...state.tasks.values()].some(({ isInBackground }) => isInBackground);
  const nothingOpen = { calls: new Map(), asks: new Map(), tasks: new Map(), wholeMessages: new Map() };
  return {
    ...state,
    ...(!hasBackground && nothingOpen),
    prompts,
    isTurnOpen: prompts.length > 0,
    isWorking: false,
    hasSpoken: false,
    stopReason: undefined,
    failure: undefined,
  };
}

/** A result can be all there is: of a command that says nothing else, or when only the result was asked for. */
function unspoken({ is_error: isError, result }: ResultLine): readonly Draft[] {
  if (isError || !result) return [];
  return [{ type: "text.start" }, { type: "text.delta", delta: result }, { type: "text.end" }];
}

/** The turn goes on with the next prompt, so its end will not tell of this. */
function failureNotice(error: { code: string; message: string } | undefined): readonly Draft[] {
  return error ? [{ type: "notice", level: "error", code: error.code, text: error.message }] : [];
}
