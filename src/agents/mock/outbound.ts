/** The mock's lines → drafts. Pure. */
import type { Draft } from "../../core/draft.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translator } from "../transport/translator.ts";
import {
  afterAnswer,
  afterRequest,
  afterStart,
  INITIAL_STATE,
  type MockState,
} from "./conversation-state.ts";
import { isWireEvent, translateEvent } from "./outbound-event.ts";
import { fromWireConfiguration, outcomeOf } from "./outbound-words.ts";
import type { OpenResult, WireError, WireEventOf, WireRequest } from "./wire.ts";

type Translation = readonly [MockState, readonly Draft[]];

export const outbound: Translator<MockState> = { initial: INITIAL_STATE, translate };

function translate(state: MockState, { direction, data }: RecordInput): Translation {
  // What happens to the process is told by the engine.
  if (typeof data !== "string") return [state, []];
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return [state, direction === "in" ? [line.draft] : []];
  const { message } = line;
  if (direction === "out") return [afterRequest(state, message as unknown as WireRequest), []];
  if (isWireEvent(message)) {
    if (message.event === "turn_started") return startTurn(state, message);
    if (message.event === "turn_finished") return finishTurn(state, message);
    return [state, translateEvent(message)];
  }
  if (typeof message.id === "number") return translateAnswer(state, message.id, message, data);
  return [state, [unreadable(typeof message.event === "string" ? message.event : "not-a-message", data)]];
}

/** A turn for a prompt was opened by the engine when it sent it; any other the mock began by itself. */
function startTurn(state: MockState, event: WireEventOf<"turn_started">): Translation {
  const { prompt, cause, text } = event;
  if (prompt === undefined) {
    return [state, [{ type: "turn.started", cause: cause ?? "agent", text: text ?? "The mock went on." }]];
  }
  if (state.unstarted.includes(prompt)) return [afterStart(state, prompt), []];
  return [
    state,
    [{ type: "turn.started", cause: "steer", text: "The message came after its turn had ended." }],
  ];
}

function finishTurn(state: MockState, { reason, error }: WireEventOf<"turn_finished">): Translation {
  if (state.unstarted.length > 0) return [state, []];
  return [state, [{ type: "turn.ended", outcome: outcomeOf(reason), ...(error && { error }) }]];
}

function translateAnswer(
  state: MockState,
  id: number,
  answer: Readonly<Record<string, unknown>>,
  data: string,
): Translation {
  const method = state.requests.get(id);
  if (method === undefined) return [state, [unreadable("answer-to-no-request", data)]];
  const settled = afterAnswer(state, id);
  const error = answer.error as WireError | undefined;
  if (method === "open") {
    if (error) return [{ ...settled, opening: { failed: error.message } }, []];
    return [{ ...settled, opening: "ready" }, [attached(answer.result as OpenResult)]];
  }
  if (!error) return [settled, []];
  if (method === "prompt") {
    return [{ ...settled, unstarted: [] }, [{ type: "turn.ended", outcome: "failed", error }]];
  }
  return [settled, [{ type: "notice", level: "warning", code: error.code, text: error.message }]];
}

function attached(result: OpenResult): Draft {
  return {
    type: "session.attached",
    agentSessionId: result.conversation,
    agentVersion: result.version,
    resumed: result.continued,
    ...fromWireConfiguration(result.configuration),
    models: result.models,
    modes: result.modes,
    commands: result.commands,
    tools: result.tools,
  };
}
