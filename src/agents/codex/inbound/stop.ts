/** Stopping: Codex ends its turn when told to, and leaves the turn's commands running. So they are ended one by one. */
import { isWaitingFor } from "../../transport/json-rpc.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";
import { TASK_NOTE } from "../request-notes.ts";

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

/** Ends one command in the background, whose process may have to be looked for first, or the turn of a sub-agent. */
export function stopTaskCalls({ thread: threadId, commands, agents }: CodexState, task: string): RpcCall[] {
  const turnId = agents.get(task)?.turn;
  if (turnId !== undefined) return [{ method: "turn/interrupt", params: { threadId: task, turnId } }];
  const command = commands.get(task);
  if (!command?.isBackground) return [];
  const note = `${TASK_NOTE}${task}`;
  const { process: processId } = command;
  if (processId === undefined)
    return [{ method: "thread/backgroundTerminals/list", params: { threadId }, note }];
  return [{ method: "thread/backgroundTerminals/terminate", params: { threadId, processId }, note }];
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
