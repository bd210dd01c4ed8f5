/**
 * After frames were missed: what the server has stored is compared with what was told. The stream has no memory, so
 * what happened meanwhile is found in the messages, and each part of them becomes only what is new in it.
 */
import type { Draft } from "../../../core/draft.ts";
import type { Translation } from "../../transport/translator.ts";
import type { MissedRoute, OpenCodeState } from "../conversation-state.ts";
import type { WirePermission, WireQuestion, WireStoredMessage } from "../wire.ts";
import { openedPermission, openedQuestion } from "./ask.ts";
import { noteMessage } from "./event.ts";
import { translatePart } from "./part.ts";
import { markOf } from "./request.ts";
import { afterIdle } from "./turn-end.ts";

export function reconcile(
  state: OpenCodeState,
  route: MissedRoute,
  body: unknown,
): Translation<OpenCodeState> {
  switch (route) {
    case "message":
      return reconcileMessages(state, body as readonly WireStoredMessage[]);
    case "permission":
      return reconcileAsks(state, body as readonly WirePermission[]);
    case "question":
      return reconcileAsks(state, body as readonly WireQuestion[]);
    case "session/status":
      return reconcileStatus(state, body as Readonly<Record<string, unknown>>);
  }
}

/** Only the running turn can have news: its user messages, and the model's answers to them. */
function reconcileMessages(
  state: OpenCodeState,
  stored: readonly WireStoredMessage[],
): Translation<OpenCodeState> {
  if (!state.turn.isRunning) return [state, []];
  let next = state;
  const drafts: Draft[] = [];
  const take = ([after, made]: Translation<OpenCodeState>) => {
    next = after;
    drafts.push(...made);
  };
  const own = new Set<string>();
  for (const { info, parts } of stored) {
    if (info.role === "user") {
      const message = markOf(parts) ?? state.users.get(info.id);
      const isPending = state.prompts.some((prompt) => prompt.message === message);
      const isOfTurn = [...state.turn.messages.values()].some(({ parent }) => parent === info.id);
      if (!isPending && !isOfTurn) continue;
      own.add(info.id);
    } else if (!own.has(info.parentID)) continue;
    take(noteMessage(next, info, true));
    for (const part of parts) take(translatePart(next, part, {}));
  }
  return [next, drafts];
}

/** The list still has what was asked before a stop; an ask about a call that is settled waits for nobody. */
function reconcileAsks(
  state: OpenCodeState,
  asked: readonly (WirePermission | WireQuestion)[],
): Translation<OpenCodeState> {
  if (!state.turn.isRunning || state.turn.isStopping) return [state, []];
  const drafts = asked.flatMap((ask): readonly Draft[] => {
    const parent = state.turn.children.get(ask.sessionID);
    const call = ask.tool && state.turn.calls.get(ask.tool.callID);
    if ((ask.sessionID !== state.session && parent === undefined) || !call || call.isSettled) return [];
    const origin = parent === undefined ? {} : { parent };
    return ["questions" in ask ? openedQuestion(ask, origin) : openedPermission(ask, origin)];
  });
  return [state, drafts];
}

/** The list names those that work. It is asked for last, so all is heard by then. */
function reconcileStatus(
  state: OpenCodeState,
  working: Readonly<Record<string, unknown>>,
): Translation<OpenCodeState> {
  if (state.session === undefined || state.session in working || !state.turn.isRunning) return [state, []];
  return afterIdle(state);
}
