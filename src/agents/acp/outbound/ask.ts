/** What an agent asks of a person → asks: permissions, elicitations, and Grok's own questions. */
import { type AskOption, type AskQuestion, DECLINE, EFFECT_OF_KIND } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import type { RpcRequest } from "../../transport/json-rpc.ts";
import { type AcpState, afterSign } from "../conversation-state.ts";
import { toolNameOf } from "../quirks.ts";
import { type JsonObject, objectOf, objectsOf, saysSomething, textOf } from "../untyped.ts";
import { AGENT_METHOD } from "../wire.ts";
import { proposedChanges, textOfContent } from "./block.ts";
import { endPart } from "./chunk.ts";
import { translateAskedCall } from "./tool.ts";

type Step = readonly [AcpState, readonly Draft[]];

/** Grok asks its questions in a method of its own. */
export const GROK_QUESTION = "_x.ai/ask_user_question";

/** The option of an elicitation that has a page to be visited instead of questions. */
export const VISITED = "accept";

/** Undefined when the request is none that a person can answer. */
export function translateAsk(state: AcpState, request: RpcRequest): Step | undefined {
  const { method, params } = request;
  switch (method) {
    case AGENT_METHOD.requestPermission:
      return translatePermission(state, request);
    case AGENT_METHOD.elicit:
      return opened(state, elicitation(request, params));
    case GROK_QUESTION:
      return opened(state, grokQuestion(request, params));
    default:
      return undefined;
  }
}

function translatePermission(state: AcpState, request: RpcRequest): Step | undefined {
  const toolCall = objectOf(request.params.toolCall);
  const options = permissionOptions(request.params);
  if (options.length === 0) return undefined;
  const [ended, ends] = endPart(state);
  const named = textOf(toolCall.toolCallId);
  const id = named !== undefined && (state.calls.has(named) || isDescribed(toolCall)) ? named : undefined;
  const [next, news] =
    id === undefined ? [ended, []] : translateAskedCall(ended, id, toolCall, String(request.id));
  const call = id === undefined ? undefined : next.calls.get(id);
  const title = textOf(toolCall.title) ?? call?.title ?? "Permission";
  const content = objectsOf(toolCall.content);
  const text = textOfContent(content);
  const changes = proposedChanges(content.length > 0 ? content : (call?.changes ?? []), state.cwd);
  const { rawInput } = toolCall;
  const draft: Draft = withoutUndefined({
    type: "ask.opened" as const,
    ask: String(request.id),
    // What ends a planning mode is a plan to be approved.
    kind: toolCall.kind === "switch_mode" && text !== "" ? ("plan" as const) : ("permission" as const),
    call: id,
    title,
    description: text !== "" && text !== title ? text : undefined,
    changes: changes.length > 0 ? changes : undefined,
    detail: saysSomething(rawInput) && JSON.stringify(rawInput) !== call?.input ? rawInput : undefined,
    options,
  });
  return [afterSign(next), [...ends, ...news, draft]];
}

/** An id and a title may be those of the question: such a call begins when the agent says more about it. */
function isDescribed(toolCall: JsonObject): boolean {
  const { kind, rawInput, content, locations } = toolCall;
  return toolNameOf(toolCall) !== undefined || [kind, rawInput, content, locations].some(saysSomething);
}

export function permissionOptions(params: JsonObject): AskOption[] {
  return objectsOf(params.options).flatMap(({ optionId, name, kind }) => {
    const id = textOf(optionId);
    if (id === undefined) return [];
    return [{ id, label: textOf(name) ?? id, effect: EFFECT_OF_KIND.get(kind) ?? "other" }];
  });
}

function opened(state: AcpState, draft: Draft | undefined): Step | undefined {
  if (draft === undefined) return undefined;
  const [ended, ends] = endPart(state);
  return [afterSign(ended), [...ends, draft]];
}

function elicitation({ id }: RpcRequest, params: JsonObject): Draft | undefined {
  const common = withoutUndefined({
    type: "ask.opened" as const,
    ask: String(id),
    kind: "question" as const,
    call: textOf(params.toolCallId),
    title: textOf(params.message) ?? "A question",
  });
  const decline: AskOption = { id: "decline", label: "Decline", effect: "reject" };
  const url = textOf(params.url);
  if (url !== undefined) {
    return { ...common, url, options: [{ id: VISITED, label: "Done", effect: "once" }, decline] };
  }
  const questions = formQuestions(params);
  return questions.length === 0 ? undefined : { ...common, options: [decline], questions };
}

/** The fields of a form are questions: a flat JSON schema of strings, numbers, booleans and lists of choices. */
export function formQuestions(params: JsonObject): AskQuestion[] {
  const { properties, required } = objectOf(params.requestedSchema);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(objectOf(properties)).map(([id, value]) => {
    const field = objectOf(value);
    const choices = fieldChoices(field);
    const isList = field.type === "array";
    const type =
      field.type === "number" || field.type === "integer" || field.type === "boolean" ? field.type : "text";
    return withoutUndefined({
      id,
      text: textOf(field.title) ?? id,
      description: textOf(field.description),
      options: choices,
      multiple: isList ? true : undefined,
      free: choices === undefined,
      type,
      required: needed.includes(id) ? true : undefined,
      default: defaultOf(field.default),
    });
  });
}

function fieldChoices(field: JsonObject): AskQuestion["options"] {
  const items = objectOf(field.items);
  const named = field.oneOf ?? items.anyOf ?? items.oneOf;
  if (Array.isArray(named)) {
    return objectsOf(named).map(({ const: value, title, description }) => {
      const label = textOf(title) ?? String(value);
      return withoutUndefined({
        label,
        value: String(value) === label ? undefined : String(value),
        description: textOf(description),
      });
    });
  }
  const plain = field.enum ?? items.enum;
  return Array.isArray(plain) ? plain.map((value) => ({ label: String(value) })) : undefined;
}

function defaultOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null || isRecord(value)) return undefined;
  return (Array.isArray(value) ? value : [value]).map(String);
}

function grokQuestion({ id }: RpcRequest, params: JsonObject): Draft | undefined {
  const questions = objectsOf(params.questions).map(
    (question, place): AskQuestion =>
      withoutUndefined({
        id: `q${place + 1}`,
        text: textOf(question.question) ?? "A question",
        header: textOf(question.header),
        options: objectsOf(question.options).map(({ label, description }) =>
          withoutUndefined({ label: String(label), description: textOf(description) }),
        ),
        multiple: question.multiSelect === true ? true : undefined,
        free: true,
      }),
  );
  if (questions.length === 0) return undefined;
  return withoutUndefined({
    type: "ask.opened" as const,
    ask: String(id),
    kind: "question" as const,
    call: textOf(params.toolCallId),
    title: questions[0]!.text,
    options: [{ id: DECLINE, label: "Decline", effect: "reject" as const }],
    questions,
  });
}
