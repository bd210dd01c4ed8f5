/** The agent's lines → drafts. Pure. */
import type { Draft } from "../../core/draft.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { afterAnswer, afterRequest, INITIAL_STATE, type ModelState } from "./conversation-state.ts";
import { isWireEvent, translateEvent } from "./outbound/event.ts";
import { isWirePart, translatePart } from "./outbound/part.ts";
import { unreadFields } from "./outbound/unread-fields.ts";
import { fromWireConfiguration } from "./vocabulary.ts";
import type {
  OpenResult,
  PromptParams,
  PromptResult,
  WireError,
  WireEvent,
  WireRequest,
  WireResponse,
} from "./wire.ts";

export const outbound: Translator<ModelState> = { initial: INITIAL_STATE, translate };

function translate(state: ModelState, { direction, data }: RecordInput): Translation<ModelState> {
  // What happens to the process is told by the engine.
  if (typeof data !== "string") return [state, []];
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return [state, [line.draft]];
  const { message } = line;
  if (direction === "out") return [afterRequest(state, message as unknown as WireRequest), []];
  if (isWireEvent(message)) return translateWireEvent(state, message, data);
  const request = typeof message.id === "number" ? state.requests.get(message.id) : undefined;
  if (request) return translateResponse(state, request, message as unknown as WireResponse);
  return [state, [unreadable(typeof message.event === "string" ? message.event : "not-a-message", data)]];
}

function translateWireEvent(state: ModelState, event: WireEvent, data: string): Translation<ModelState> {
  if (event.event !== "part") return [state, translateEvent(event), unreadFields(event)];
  if (!isWirePart(event.part)) {
    const { type } = (event.part ?? {}) as { type?: unknown };
    return [state, [unreadable(typeof type === "string" ? `part/${type}` : "not-a-part", data)]];
  }
  const [drafts, unread] = translatePart(event, state.kinds);
  return [state, drafts, unread];
}

function translateResponse(
  state: ModelState,
  request: WireRequest,
  response: WireResponse,
): Translation<ModelState> {
  const settled = afterAnswer(state, request.id);
  if ("error" in response) return translateRefusal(settled, request, response.error);
  switch (request.method) {
    case "open":
      return opened(settled, response.result as OpenResult);
    case "prompt":
      return [settled, [received(request.params, response.result as PromptResult)]];
    default:
      return [settled, []];
  }
}

function translateRefusal(
  state: ModelState,
  request: WireRequest,
  error: WireError,
): Translation<ModelState> {
  switch (request.method) {
    case "open":
      return [{ ...state, opening: { failed: error } }, []];
    case "prompt":
      return [
        state,
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

function opened(state: ModelState, result: OpenResult): Translation<ModelState> {
  const { tools = [] } = result;
  const kinds = new Map(tools.map(({ name, kind }) => [name, kind]));
  const attached: Draft = {
    type: "session.attached",
    agentSessionId: result.conversation,
    agentVersion: result.version,
    ...(result.restored > 0 && { resumed: true }),
    ...fromWireConfiguration(result.configuration),
    models: result.models,
    commands: result.commands,
    tools: tools.map(({ name }) => name),
  };
  return [{ ...state, opening: "ready", kinds }, [attached]];
}

function received({ prompt }: PromptParams, { accepted }: PromptResult): Draft {
  return { type: "prompt.received", message: prompt, native: accepted };
}
