/** Commands → Codex's lines. Pure. */
import type { Command } from "../../core/command.ts";
import { isWaitingFor, unansweredIds } from "../transport/json-rpc.ts";
import { type RpcCall, refusals, requestLines } from "../transport/json-rpc-lines.ts";
import type { Encoder } from "../transport/translator.ts";
import type { CodexState } from "./conversation-state.ts";
import { configureCall } from "./inbound/configure.ts";
import { openingStep, type SessionOptions } from "./inbound/opening.ts";
import { promptCall } from "./inbound/prompt.ts";
import { replyLine, wordsCalls } from "./inbound/reply.ts";
import { rewindCall, rewindingCalls } from "./inbound/rewind.ts";
import { endStoppedCalls, interruptCalls, leaveCalls, stopTaskCalls } from "./inbound/stop.ts";
import { isAsk } from "./outbound/ask.ts";
import { MODEL_LIST } from "./outbound/response.ts";

const NOTHING: readonly string[] = [];

/** The encoder of one session; `scope` marks its requests on the connection it shares with others. */
export function createInbound(session: SessionOptions, scope: string): Encoder<CodexState> {
  const lines = ({ rpc }: CodexState, calls: readonly RpcCall[]) => requestLines(rpc, calls, scope);
  return {
    open: (state) => openingStep(state, session, scope),
    encode(state, command) {
      if (command.type !== "reply") return lines(state, toCalls(state, command));
      // The words first: once the answer is in, Codex asks the model again at once, and would ask without them.
      return [...lines(state, wordsCalls(state, command)), replyLine(state, command)];
    },
    holds,
    unansweredChanges: ({ rpc }) => unansweredIds(rpc, ["thread/settings/update"]),
    answer(state) {
      if (state.rpc.asked.size === 0 && state.stopped.size === 0 && !state.rewinding) return NOTHING;
      const calls = [...endStoppedCalls(state), ...rewindingCalls(state)];
      return [...refusals(state.rpc, isAsk), ...lines(state, calls)];
    },
    shutDown(state) {
      if (state.thread === undefined || state.hasLeft) return { step: "done" };
      const isTooEarly = state.turn !== undefined && !state.turn.isStarted;
      if (isTooEarly || isWaitingFor(state.rpc, "thread/unsubscribe")) return { step: "wait" };
      return { step: "send", lines: lines(state, leaveCalls(state)) };
    },
  };
}

function toCalls(state: CodexState, command: Exclude<Command, { type: "reply" }>): readonly RpcCall[] {
  switch (command.type) {
    case "prompt":
      return [promptCall(state, command)];
    case "interrupt":
      return interruptCalls(state);
    case "configure":
      return [configureCall(state, command)];
    case "rewind":
      return [rewindCall(state, command.before)];
    case "stopTask":
      return stopTaskCalls(state, command.task);
  }
}

/**
 * Codex refuses to stop or steer a turn it has not begun. What is said to the model waits for what was changed,
 * and a change for the list of what can be chosen.
 */
function holds({ turn, rewinding, rpc }: CodexState, command: Command): boolean {
  if (command.type === "interrupt") return turn !== undefined && !turn.isStarted;
  if (command.type === "configure") return command.settings !== undefined && isWaitingFor(rpc, MODEL_LIST);
  if (command.type !== "prompt") return false;
  if (command.steer && turn !== undefined && !turn.isStarted) return true;
  return rewinding !== undefined || isWaitingFor(rpc, "thread/settings/update");
}
