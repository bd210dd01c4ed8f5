/** Lines of `opencode run --format json` → drafts: parts when they are finished, for recordings made that way. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type OpenCodeState, startTurn, withTurn } from "../conversation-state.ts";
import { turnError } from "../vocabulary.ts";
import type { WireError, WirePart } from "../wire.ts";
import { translatePart } from "./part.ts";

interface RunLine {
  readonly type: string;
  readonly sessionID: string;
  readonly part?: WirePart;
  readonly error?: WireError;
}

const TYPES = ["step_start", "text", "reasoning", "tool_use", "step_finish", "error"];

export function isRunLine(message: object): message is RunLine {
  const { type, sessionID, part, error } = message as Partial<RunLine>;
  const hasContent = typeof part === "object" || typeof error === "object";
  return typeof sessionID === "string" && TYPES.includes(type ?? "") && hasContent;
}

export function translateRunLine(
  state: OpenCodeState,
  { sessionID, part, error }: RunLine,
): Translation<OpenCodeState> {
  if (error) return [state, [{ type: "turn.ended", outcome: "failed", error: turnError(error) }]];
  if (!part) return [state, []];
  // No line begins the session: the first part names it.
  const name: Draft[] =
    state.session === undefined ? [{ type: "session.updated", agentSessionId: sessionID }] : [];
  const [next, drafts] = translatePart(withMessage(begin(state, sessionID), part), part, {});
  return [next, [...name, ...drafts]];
}

function begin(state: OpenCodeState, session: string): OpenCodeState {
  return state.turn.isRunOnce ? state : { ...withTurn(startTurn(state), { isRunOnce: true }), session };
}

/** The lines do not tell of messages, only of what is in them. */
function withMessage(state: OpenCodeState, { messageID }: WirePart): OpenCodeState {
  const { messages } = state.turn;
  if (messages.has(messageID)) return state;
  const message = { isSummary: false, isComplete: false, hasStep: false };
  return withTurn(state, { messages: withEntry(messages, messageID, message) });
}
