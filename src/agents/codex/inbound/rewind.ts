/** Taking the conversation back: Codex forgets whole turns, so the turn the message began is looked for. */
import { isWaitingFor } from "../../transport/json-rpc.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";

export function rewindCall(state: CodexState, before: string): RpcCall {
  const turn = state.turnOf.get(before);
  return turn === undefined ? lookUp(state, before) : revert(state, turn);
}

/** What follows from the history Codex has shown. */
export function rewindingCalls(state: CodexState): RpcCall[] {
  const { rewinding, rpc } = state;
  if (!rewinding) return [];
  if (isWaitingFor(rpc, "thread/turns/list") || isWaitingFor(rpc, "thread/revert")) return [];
  const { before, turn, cursor } = rewinding;
  return [turn === undefined ? lookUp(state, before, cursor) : revert(state, turn)];
}

function revert({ thread }: CodexState, beforeTurnId: string): RpcCall {
  return { method: "thread/revert", params: { threadId: thread, beforeTurnId } };
}

function lookUp({ thread }: CodexState, before: string, cursor?: string): RpcCall {
  return { method: "thread/turns/list", params: { threadId: thread, limit: 50, cursor }, note: before };
}
