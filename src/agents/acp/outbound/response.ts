/** Answers of the agent to our requests → drafts: the session is open, a setting took effect, the turn is over. */
import type { Draft } from "../../../core/draft.ts";
import type { TurnOutcome } from "../../../core/event.ts";
import { isRecord } from "../../../core/is-record.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import type { RpcError, RpcMessage, RpcRequest } from "../../transport/json-rpc.ts";
import type { ModelFailure } from "../../transport/model-failure.ts";
import { type AcpState, ANY_AGENT, afterTurn, type Refusal, withTurn } from "../conversation-state.ts";
import { tellsCostOfConversation } from "../quirks.ts";
import { saysLost } from "../resume.ts";
import { failureOf, rpcErrorText, turnError } from "../rpc-error-text.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "../untyped.ts";
import { METHOD } from "../wire.ts";
import { endPart } from "./chunk.ts";
import { readConfiguration, settingsOf, withMode, withModel, withOptionValue } from "./configuration.ts";
import { translateTurnUsage } from "./usage.ts";

type Step = readonly [AcpState, readonly Draft[]];

export type RpcAnswer = Extract<RpcMessage, { kind: "result" | "error" }>;

export function translateResponse(state: AcpState, request: RpcRequest, answer: RpcAnswer): Step {
  if (request.method === METHOD.prompt) {
    return answer.kind === "error" ? failTurn(state, answer.error) : endTurn(state, objectOf(answer.result));
  }
  if (answer.kind === "error") return refused(state, request, answer.error);
  return accepted(state, request, objectOf(answer.result));
}

function accepted(state: AcpState, { method, params }: RpcRequest, result: JsonObject): Step {
  switch (method) {
    case METHOD.initialize:
      return [identified(state, result), []];
    case METHOD.authenticate:
      return [{ ...state, opening: { ...state.opening, hasAuthenticated: true, refused: undefined } }, []];
    case METHOD.newSession:
    case METHOD.loadSession:
    case METHOD.resumeSession:
      return attached(state, method, textOf(result.sessionId) ?? textOf(params.sessionId), result);
    case METHOD.setMode:
      return configured(state, withMode(state.configuration, String(params.modeId)), {
        mode: String(params.modeId),
      });
    case METHOD.setModel:
      return configured(state, withModel(state.configuration, String(params.modelId)), {
        model: String(params.modelId),
      });
    case METHOD.setConfigOption: {
      const configuration = Array.isArray(result.configOptions)
        ? readConfiguration(state.configuration, result)
        : withOptionValue(state.configuration, String(params.configId), params.value);
      return configured(state, configuration, settingsOf(configuration, state.configuration));
    }
    default:
      return [state, []];
  }
}

function configured(state: AcpState, configuration: AcpState["configuration"], told: object): Step {
  return [{ ...state, configuration }, [{ type: "session.updated", ...told }]];
}

/** A later version of the protocol is known by its words, for some agents echo any number they are asked for. */
function identified(state: AcpState, result: JsonObject): AcpState {
  const isLater = isRecord(result.info) && !isRecord(result.agentCapabilities);
  const info = objectOf(isLater ? result.info : result.agentInfo);
  const told = typeof result.protocolVersion === "number" ? result.protocolVersion : 1;
  const protocol = isLater ? Math.max(2, told) : Math.min(told, 1);
  const agent = withoutUndefined({
    name: textOf(info.name),
    version: textOf(info.version) ?? textOf(objectOf(result._meta).agentVersion),
    protocol,
    capabilities: objectOf(result.agentCapabilities),
    authMethods: objectsOf(result.authMethods),
  });
  const title = textOf(info.title) ?? agent.name ?? ANY_AGENT.title;
  const program = state.program === ANY_AGENT ? { ...ANY_AGENT, title } : state.program;
  return { ...state, agent, program };
}

function attached(state: AcpState, method: string, id: string | undefined, result: JsonObject): Step {
  const configuration = readConfiguration({}, result);
  const draft: Draft = withoutUndefined({
    type: "session.attached" as const,
    agentSessionId: id,
    agentVersion: state.agent?.version,
    resumed: method === METHOD.newSession ? undefined : true,
    ...settingsOf(configuration),
  });
  const opening = { ...state.opening, isOpen: true, refused: undefined };
  const isUnknownCost = method !== METHOD.newSession && tellsCostOfConversation(state.agent);
  const cost = isUnknownCost ? undefined : state.cost;
  const session = id === undefined ? undefined : { id };
  return [withoutUndefined({ ...state, configuration, opening, session, cost }), [draft]];
}

function refused(state: AcpState, { method }: RpcRequest, error: RpcError): Step {
  const message = rpcErrorText(error);
  switch (method) {
    case METHOD.initialize:
    case METHOD.authenticate:
    case METHOD.newSession:
      return [withRefusal(state, { method, code: error.code, message }), []];
    case METHOD.loadSession:
    case METHOD.resumeSession:
      return [withRefusal(state, { method, code: error.code, message, isLost: saysLost(error) }), []];
    case METHOD.setMode:
    case METHOD.setModel:
    case METHOD.setConfigOption: {
      const draft: Draft = { type: "notice", level: "warning", code: "configure", text: message };
      return [withRefusal(state, { method, code: error.code, message }), [draft]];
    }
    default:
      return [state, []];
  }
}

function withRefusal(state: AcpState, refused: Refusal): AcpState {
  return { ...state, opening: { ...state.opening, refused } };
}

function endTurn(state: AcpState, result: JsonObject): Step {
  const { turn } = state;
  const outcome = outcomeOf(state, result.stopReason);
  const isHeldBack = turn.held !== undefined && (turn.prompts > 1 || outcome === "failed");
  const [ended, ends] = isHeldBack ? [state, []] : endPart(state);
  const [next, usage] = translateTurnUsage(ended, result);
  const drafts = usage ? [...ends, usage] : [...ends];
  // Another prompt of the same turn is still to be answered.
  if (turn.prompts > 1) return [withTurn(next, { prompts: turn.prompts - 1 }), drafts];
  if (!turn.spoke && outcome === "completed") {
    const text = "The agent ended its turn without a word. Its own log may say why.";
    drafts.push({ type: "notice", level: "warning", code: "silent", text });
  }
  if (outcome === "failed") {
    const said = turn.held?.failure ?? "The agent ended its turn with an error.";
    return [afterTurn(next), [...drafts, failed(next, { said })]];
  }
  return [afterTurn(next), [...drafts, { type: "turn.ended", outcome }]];
}

/** Without our asking, an agent says `cancelled` when a person declined something: then it has done what it could. */
function outcomeOf({ turn }: AcpState, stopReason: unknown): TurnOutcome {
  switch (stopReason) {
    case "cancelled":
      return turn.stopping || !turn.declined ? "interrupted" : "completed";
    case "refusal":
      return "refused";
    case "max_tokens":
    case "max_turn_requests":
      return "limit";
    case "error":
      return "failed";
    default:
      if (turn.stopping) return "interrupted";
      return turn.held === undefined ? "completed" : "failed";
  }
}

/** An agent that answers a stop with an error has stopped. */
function failTurn(state: AcpState, error: RpcError): Step {
  const [ended, ends] = endPart(state);
  const { turn } = ended;
  if (turn.prompts > 1) return [withTurn(ended, { prompts: turn.prompts - 1 }), ends];
  const end: Draft = turn.stopping
    ? { type: "turn.ended", outcome: "interrupted" }
    : failed(ended, failureOf(error));
  return [afterTurn(ended), [...ends, end]];
}

function failed({ program }: AcpState, failure: ModelFailure): Draft {
  const error = turnError(program, failure);
  return { type: "turn.ended", outcome: error.code === "context_full" ? "limit" : "failed", error };
}
