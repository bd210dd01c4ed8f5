/** The mock's lines → drafts. Pure. */
import type { Draft } from "../../core/draft.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import {
  afterAnswer,
  afterRequest,
  afterStart,
  INITIAL_STATE,
  type MockState,
} from "./conversation-state.ts";
import { isWireEvent, translateEvent } from "./outbound/event.ts";
import { unreadFields } from "./outbound/unread-fields.ts";
import { fromWireConfiguration, outcomeOf } from "./vocabulary.ts";
import type {
  OpenResult,
  PromptParams,
  PromptResult,
  WireError,
  WireEvent,
  WireEventOf,
  WireRequest,
  WireResponse,
} from "./wire.ts";

export const outbound: Translator<MockState> = { initial: INITIAL_STATE, translate };

function translate(state: MockState, { direction, data }: RecordInput): Translation<MockState> {
  // What happens to the process is told by the engine.
  if (typeof data !== "string") return [state, []];
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return [state, [line.draft]];
  const { message } = line;
  if (direction === "out") return [afterRequest(state, message as unknown as WireRequest), []];
  if (isWireEvent(message)) {
    const [next, drafts] = translateEventIn(state, message);
    return [next, drafts, unreadFields(message)];
  }
  const request = typeof message.id === "number" ? state.requests.get(message.id) : undefined;
  if (request) return translateResponse(state, request, message as unknown as WireResponse);
  return [state, [unreadable(typeof message.event === "string" ? message.event : "not-a-message", data)]];
}

function translateEventIn(state: MockState, event: WireEvent): Translation<MockState> {
  if (event.event === "turn_started") return startTurn(state, event);
  if (event.event === "turn_finished") return finishTurn(state, event);
  return [state, translateEvent(event)];
}

/** A turn for a prompt was opened by the engine when it sent it; any other the mock began by itself. */
function startTurn(state: MockState, event: WireEventOf<"turn_started">): Translation<MockState> {
  const { prompt, cause = "agent", text = "The mock went on by itself.", task } = event;
  if (prompt === undefined) return [state, [{ type: "turn.started", cause, text, task }]];
  if (state.unstarted.includes(prompt)) return [afterStart(state, prompt), []];
  return [
    state,
    [{ type: "turn.started", cause: "steering", text: "The message came when its turn had ended." }],
  ];
}

function finishTurn(
  state: MockState,
  { reason, error }: WireEventOf<"turn_finished">,
): Translation<MockState> {
  if (state.unstarted.length > 0) return [state, []];
  return [state, [{ type: "turn.ended", outcome: outcomeOf(reason), error }]];
}

function translateResponse(
  state: MockState,
  request: WireRequest,
  response: WireResponse,
): Translation<MockState> {
  const settled = afterAnswer(state, request.id);
  if ("error" in response) return translateRefusal(settled, request, response.error);
  switch (request.method) {
    case "open":
      return [{ ...settled, opening: "ready" }, [attached(response.result as OpenResult)]];
    case "prompt":
      return [settled, [received(request.params, response.result as PromptResult)]];
    default:
      return [settled, []];
  }
}

function translateRefusal(state: MockState, request: WireRequest, error: WireError): Translation<MockState> {
  switch (request.method) {
    case "open":
      return [{ ...state, opening: { failed: error } }, []];
    case "prompt":
      return [
        afterStart(state, request.params.prompt),
        request.params.steer
          ? [{ type: "prompt.returned", message: request.params.prompt, reason: error.message }]
          : [{ type: "turn.ended", outcome: "failed", error }],
      ];
    case "configure":
      return [state, [{ type: "notice", level: "warning", code: "configure", text: error.message }]];
    default:
      return [state, [{ type: "notice", level: "warning", code: error.code, text: error.message }]];
  }
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

function received({ prompt }: PromptParams, { accepted }: PromptResult): Draft {
  return { type: "prompt.received", message: prompt, native: accepted };
}
