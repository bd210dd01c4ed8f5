/** Lines of a program of ours → drafts. Pure. */
import type { Draft } from "../../core/draft.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { afterAnswer, afterRequest, afterStart, INITIAL_STATE, type OwnState } from "./conversation-state.ts";
import { translateEvent } from "./outbound/event.ts";
import { isWireEvent, unreadFields } from "./outbound/fields.ts";
import { isWirePart, translatePart } from "./outbound/part.ts";
import { fromWireConfiguration, type OwnVocabulary, outcomeOf } from "./vocabulary.ts";
import type {
  OpenResult,
  OwnRequest,
  PromptParams,
  PromptResult,
  WireError,
  WireEvent,
  WireEventOf,
  WireResponse,
} from "./wire.ts";

export function createOutbound(vocabulary: OwnVocabulary): Translator<OwnState> {
  return { initial: INITIAL_STATE, translate: (state, record) => translate(state, record, vocabulary) };
}

function translate(
  state: OwnState,
  { direction, data }: RecordInput,
  vocabulary: OwnVocabulary,
): Translation<OwnState> {
  // What happens to the process is told by the engine.
  if (typeof data !== "string") return [state, []];
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return [state, [line.draft]];
  const { message } = line;
  if (direction === "out") return [afterRequest(state, message as unknown as OwnRequest), []];
  if (isWireEvent(message)) {
    if (message.event === "part") return translatePartEvent(state, message, data);
    const [next, drafts] = translateEventIn(state, message, vocabulary);
    return [next, drafts, unreadFields(message)];
  }
  const request = typeof message.id === "number" ? state.requests.get(message.id) : undefined;
  if (request) return translateResponse(state, request, message as unknown as WireResponse, vocabulary);
  return [state, [unreadable(typeof message.event === "string" ? message.event : "not-a-message", data)]];
}

function translatePartEvent(
  state: OwnState,
  event: WireEventOf<"part">,
  data: string,
): Translation<OwnState> {
  if (isWirePart(event.part)) {
    const [drafts, unread] = translatePart(event, state.kinds);
    return [state, drafts, unread];
  }
  const { type } = (event.part ?? {}) as { type?: unknown };
  return [state, [unreadable(typeof type === "string" ? `part/${type}` : "not-a-part", data)]];
}

function translateEventIn(
  state: OwnState,
  event: Exclude<WireEvent, { event: "part" }>,
  vocabulary: OwnVocabulary,
): Translation<OwnState> {
  if (event.event === "turn_started") return startTurn(state, event, vocabulary);
  if (event.event === "turn_finished") return finishTurn(state, event, vocabulary);
  return [state, translateEvent(event, vocabulary)];
}

/** A turn for a prompt was opened by the engine when it sent it; any other the agent began by itself. */
function startTurn(
  state: OwnState,
  event: WireEventOf<"turn_started">,
  { beginsTurns }: OwnVocabulary,
): Translation<OwnState> {
  const { prompt, cause = "agent", text = "The agent went on by itself.", task } = event;
  const isAwaited = prompt !== undefined && state.unstarted.includes(prompt);
  if (isAwaited || !beginsTurns) return [afterStart(state, prompt), []];
  if (prompt === undefined) return [state, [{ type: "turn.started", cause, text, task }]];
  return [
    state,
    [{ type: "turn.started", cause: "steering", text: "The message came when its turn had ended." }],
  ];
}

function finishTurn(
  state: OwnState,
  { reason, error }: WireEventOf<"turn_finished">,
  { beginsTurns }: OwnVocabulary,
): Translation<OwnState> {
  if (beginsTurns && state.unstarted.length > 0) return [state, []];
  return [state, [{ type: "turn.ended", outcome: outcomeOf(reason), error }]];
}

function translateResponse(
  state: OwnState,
  request: OwnRequest,
  response: WireResponse,
  vocabulary: OwnVocabulary,
): Translation<OwnState> {
  const settled = afterAnswer(state, request.id);
  if ("error" in response) return translateRefusal(settled, request, response.error);
  switch (request.method) {
    case "open":
      return opened(settled, response.result as OpenResult, vocabulary);
    case "prompt":
      return [settled, [received(request.params, response.result as PromptResult)]];
    default:
      return [settled, []];
  }
}

function translateRefusal(state: OwnState, request: OwnRequest, error: WireError): Translation<OwnState> {
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

function opened(state: OwnState, result: OpenResult, vocabulary: OwnVocabulary): Translation<OwnState> {
  const { restored = 0, continued = restored > 0 || undefined } = result;
  const tools = Array.isArray(result.tools) ? result.tools.filter((tool) => tool !== null) : [];
  const kinds = new Map(tools.flatMap((tool) => (typeof tool === "string" ? [] : [[tool.name, tool.kind]])));
  const attached: Draft = {
    type: "session.attached",
    agentSessionId: result.conversation,
    agentVersion: result.version,
    resumed: continued,
    ...fromWireConfiguration(vocabulary, result.configuration),
    models: result.models,
    modes: result.modes,
    commands: result.commands,
    tools: result.tools && tools.map((tool) => (typeof tool === "string" ? tool : tool.name)),
  };
  return [{ ...state, opening: "ready", kinds }, [attached]];
}

function received({ prompt }: PromptParams, { accepted }: PromptResult): Draft {
  return { type: "prompt.received", message: prompt, native: accepted };
}
