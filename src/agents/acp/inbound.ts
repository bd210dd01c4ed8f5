/** Commands → an ACP agent's lines. Pure. */
import type { Command } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { isWaitingFor } from "../transport/json-rpc.ts";
import { notificationLine, requestLines } from "../transport/json-rpc-lines.ts";
import type { Encoder, ShutdownStep } from "../transport/translator.ts";
import type { AcpState } from "./conversation-state.ts";
import { configurationCalls, unansweredChanges } from "./inbound/configure.ts";
import { openingStep } from "./inbound/opening.ts";
import { promptBlocks } from "./inbound/prompt.ts";
import { cancellationLine, isAsk, refusalLine, replyLine } from "./inbound/reply.ts";
import type { SessionOptions } from "./session-options.ts";
import { objectOf } from "./untyped.ts";
import { isClientMethod, METHOD } from "./wire.ts";

export function createInbound(session: SessionOptions): Encoder<AcpState> {
  return {
    open: (state) => openingStep(state, session),
    encode,
    // Agents queue a second prompt, abort the first, or lose one of the two.
    holds: (state, command) => command.type === "prompt" && !command.steer && state.turn.prompts > 0,
    unansweredChanges: ({ rpc }) => unansweredChanges(rpc),
    answer: (state) => dueAnswers(state, session),
    shutDown,
  };
}

function encode(state: AcpState, command: Command): string[] {
  const sessionId = state.session?.id;
  switch (command.type) {
    case "prompt": {
      if (command.steer) throw new InterlinguaError("unsupported", "The agent takes one prompt at a time.");
      const params = { sessionId, prompt: promptBlocks(state, command.parts) };
      return requestLines(state.rpc, [{ method: METHOD.prompt, params }]);
    }
    case "interrupt":
      return cancelLines(state);
    case "reply":
      return [replyLine(state, command)];
    case "configure":
      if (command.permissionMode !== undefined) {
        throw new InterlinguaError(
          "unsupported",
          "The agent has no permission modes of ours; choose one of its own modes.",
        );
      }
      return requestLines(state.rpc, configurationCalls(state, command));
    case "rewind":
      throw new InterlinguaError("unsupported", "The agent cannot forget a part of the conversation.");
    case "stopTask":
      throw new InterlinguaError("unsupported", "The agent has no tasks that could be ended one by one.");
  }
}

/** The protocol wants open requests answered after a cancel. */
function cancelLines(state: AcpState): string[] {
  const asks = [...state.rpc.asked.values()].filter(isAsk);
  return [notificationLine(METHOD.cancel, { sessionId: state.session?.id }), ...asks.map(cancellationLine)];
}

const NOTHING_DUE: readonly string[] = [];

/** Refuses requests we do not know, and cancels asks that come after a stop. */
function dueAnswers({ rpc, turn }: AcpState, { files, terminals }: SessionOptions): readonly string[] {
  if (rpc.asked.size === 0) return NOTHING_DUE;
  return [...rpc.asked.values()].flatMap((request) => {
    if (isAsk(request)) return turn.stopping ? [cancellationLine(request)] : [];
    const isServed = isClientMethod(request.method) && (request.method.startsWith("fs/") ? files : terminals);
    return isServed ? [] : [refusalLine(request)];
  });
}

/** Closing a session stops what runs in it. If the agent does not offer that, a running turn is cancelled. */
function shutDown(state: AcpState): ShutdownStep {
  const { agent, opening, session, rpc, turn } = state;
  if (session === undefined || !opening.isOpen) return { step: "done" };
  if (isWaitingFor(rpc, METHOD.closeSession)) return { step: "wait" };
  const { close } = objectOf(agent?.capabilities.sessionCapabilities);
  if (close !== undefined && close !== null) {
    if (state.hasClosed) return { step: "done" };
    const call = { method: METHOD.closeSession, params: { sessionId: session.id } };
    return { step: "send", lines: requestLines(rpc, [call]) };
  }
  if (turn.prompts === 0) return { step: "done" };
  return turn.stopping ? { step: "wait" } : { step: "send", lines: cancelLines(state) };
}
