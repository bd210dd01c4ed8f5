/** Where a turn ends. The server says idle twice after a stop or an error, and an idle may be an earlier turn's. */
import type { Draft } from "../../../core/draft.ts";
import type { TurnOutcome } from "../../../core/event.ts";
import type { Translation } from "../../transport/translator.ts";
import { endTurn, type OpenCodeState, type Turn, withTurn } from "../conversation-state.ts";
import { ABORTED, isStackTrace, turnError } from "../vocabulary.ts";
import type { WireError } from "../wire.ts";

/** The turn is over when the server is idle after it was busy, and the model's last message is complete. */
export function afterIdle(state: OpenCodeState): Translation<OpenCodeState> {
  const { turn } = state;
  if (!turn.sawBusy || !isComplete(turn)) return [state, []];
  return [
    { ...endTurn(state), prompts: [], expectsEcho: turn.last === undefined && turn.error !== undefined },
    [turnEnded(turn)],
  ];
}

/** An error is not the end: the server may compact and go on. It is one where the server never began to work. */
export function afterError(state: OpenCodeState, error: WireError): Translation<OpenCodeState> {
  const { turn } = state;
  if (state.expectsEcho && isStackTrace(error)) return [{ ...state, expectsEcho: false }, []];
  if (!turn.isRunning) return [state, []];
  const failed = withTurn(state, { error });
  if (turn.sawBusy) return [failed, []];
  return [{ ...endTurn(failed), prompts: [], expectsEcho: true }, [turnEnded(failed.turn)]];
}

/** The server refused the prompt itself. */
export function afterRefusal(state: OpenCodeState, message: string): Translation<OpenCodeState> {
  if (!state.turn.isRunning || state.turn.sawBusy) return [state, []];
  const error = { code: "agent_error", message };
  return [{ ...endTurn(state), prompts: [] }, [{ type: "turn.ended", outcome: "failed", error }]];
}

function isComplete({ last, messages, error, isStopping }: Turn): boolean {
  // Without a message of the model there is nothing to wait for, once it is known why.
  if (last === undefined) return error !== undefined || isStopping;
  return messages.get(last)?.isComplete ?? true;
}

const OUTCOMES: Readonly<Record<string, TurnOutcome>> = {
  ContentFilterError: "refused",
  ContextOverflowError: "limit",
  MessageOutputLengthError: "limit",
};

function turnEnded({ error, reason }: Turn): Draft {
  if (error?.name === ABORTED) return { type: "turn.ended", outcome: "interrupted" };
  if (error)
    return { type: "turn.ended", outcome: OUTCOMES[error.name] ?? "failed", error: turnError(error) };
  if (reason === "content-filter") return { type: "turn.ended", outcome: "refused" };
  return { type: "turn.ended", outcome: reason === "length" ? "limit" : "completed" };
}
