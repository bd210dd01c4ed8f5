/** Stopping: Codex ends its turn when told to, and leaves the turn's commands running. So they are ended one by one. */
import { isWaitingFor } from "../../transport/json-rpc.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";

/** Ends the turn and those of its sub-agents. */
export function interruptCalls({ thread, turn, agents }: CodexState): RpcCall[] {
  const own = turn?.id === undefined ? [] : [{ threadId: thread, turnId: turn.id }];
  const children = [...agents].flatMap(([threadId, agent]) =>
    agent.turn === undefined ? [] : [{ threadId, turnId: agent.turn }],
  );
  return [...own, ...children].map((params) => ({ method: "turn/interrupt", params }));
}

/** Commands of earlier turns, which a person wanted to go on, are spared. */
export function endStoppedCalls({ thread: threadId, stopped, commands, rpc }: CodexState): RpcCall[] {
  if (stopped.size === 0) return [];
  const processes = [...stopped].map((call) => commands.get(call)?.process);
  const known = processes.filter((process) => process !== undefined);
  const ends = known.map((processId) => ({
    method: "thread/backgroundTerminals/terminate",
    params: { threadId, processId },
  }));
  const isListed = known.length === processes.length || isWaitingFor(rpc, "thread/backgroundTerminals/list");
  return isListed ? ends : [...ends, { method: "thread/backgroundTerminals/list", params: { threadId } }];
}

/** Nothing of the session goes on without it. */
export function leaveCalls(state: CodexState): RpcCall[] {
  const params = { threadId: state.thread };
  const isRunning = state.commands.size > 0 || state.turn !== undefined;
  return [
    ...interruptCalls(state),
    ...(isRunning ? [{ method: "thread/backgroundTerminals/clean", params }] : []),
    { method: "thread/unsubscribe", params },
  ];
}
