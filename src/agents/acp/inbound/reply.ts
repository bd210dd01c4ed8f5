/** A person's answer → the answer to the agent's request, and the answers nobody needs to give. */
import { type AskOption, DECLINE, isRejection } from "../../../core/ask.ts";
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import { ownValue } from "../../../core/own-value.ts";
import { METHOD_NOT_FOUND, type RpcRequest } from "../../transport/json-rpc.ts";
import { errorLine, resultLine } from "../../transport/json-rpc-lines.ts";
import type { AcpState } from "../conversation-state.ts";
import { formQuestions, GROK_QUESTION, permissionOptions } from "../outbound/ask.ts";
import { objectOf, objectsOf, textOf } from "../untyped.ts";
import { AGENT_METHOD, type ElicitationAnswer, ERROR_CODE, type PermissionAnswer } from "../wire.ts";

const CANCELLED: PermissionAnswer = { outcome: { outcome: "cancelled" } };

/** Throws `ask_closed` when the agent no longer waits, `option_not_offered` for an answer it would not know. */
export function replyLine(state: AcpState, reply: CommandOf<"reply">): string {
  const request = state.rpc.asked.get(reply.ask);
  if (request === undefined) {
    throw new InterlinguaError("ask_closed", "The agent no longer waits for this answer.");
  }
  switch (request.method) {
    case AGENT_METHOD.requestPermission:
      return resultLine(request.id, permissionAnswer(state, request, reply));
    case AGENT_METHOD.elicit:
      return resultLine(request.id, elicitationAnswer(request, reply));
    default:
      return resultLine(request.id, grokAnswer(request, reply));
  }
}

/** Nobody will answer: the turn is being stopped. */
export function cancellationLine({ id, method }: RpcRequest): string {
  if (method === AGENT_METHOD.requestPermission) return resultLine(id, CANCELLED);
  if (method === AGENT_METHOD.elicit) return resultLine(id, { action: "cancel" });
  return resultLine(id, { outcome: "cancelled" });
}

/** Whether a request was shown to a person. */
export function isAsk({ method, params }: RpcRequest): boolean {
  switch (method) {
    case AGENT_METHOD.requestPermission:
      return permissionOptions(params).length > 0;
    case AGENT_METHOD.elicit:
      return textOf(params.url) !== undefined || formQuestions(params).length > 0;
    case GROK_QUESTION:
      return objectsOf(params.questions).length > 0;
    default:
      return false;
  }
}

/** What an agent asked that nobody here can give. */
export function refusalLine({ id, method }: RpcRequest): string {
  const isKnown = method === AGENT_METHOD.requestPermission || method === AGENT_METHOD.elicit;
  return isKnown
    ? errorLine(id, { code: ERROR_CODE.invalidParams, message: `"${method}" offers nothing to choose from.` })
    : errorLine(id, { code: METHOD_NOT_FOUND, message: `This client does not know "${method}".` });
}

function permissionAnswer(
  state: AcpState,
  { params }: RpcRequest,
  reply: CommandOf<"reply">,
): PermissionAnswer {
  const options = permissionOptions(params);
  const chosen =
    options.find(({ id }) => id === reply.option) ?? options.find(({ effect }) => effect === reply.effect);
  if (chosen) return isChanged(state, params, chosen, reply) ? CANCELLED : selected(chosen);
  throw new InterlinguaError("option_not_offered", "The agent does not offer this answer.");
}

function selected({ id }: AskOption): PermissionAnswer {
  return { outcome: { outcome: "selected", optionId: id } };
}

/** The protocol has no word for changed input, and what a person changed must not run unchanged: then nothing runs. */
function isChanged(
  { calls }: AcpState,
  params: RpcRequest["params"],
  { effect }: AskOption,
  { input }: CommandOf<"reply">,
): boolean {
  if (input === undefined || isRejection(effect)) return false;
  const call = calls.get(String(objectOf(params.toolCall).toolCallId));
  return JSON.stringify(input) !== call?.input;
}

function elicitationAnswer(
  { params }: RpcRequest,
  { option, answers }: CommandOf<"reply">,
): ElicitationAnswer {
  if (option === "decline" || option === DECLINE) return { action: "decline" };
  if (answers === undefined) return { action: "accept" };
  const content = formQuestions(params).flatMap((question) => {
    const given = ownValue(answers, question.id);
    if (given === undefined || given.length === 0) return [];
    const values = given.map((word) => question.options?.find(({ label }) => label === word)?.value ?? word);
    return [[question.id, question.multiple ? values : typed(question.type, values[0]!)]];
  });
  return { action: "accept", content: Object.fromEntries(content) };
}

function typed(type: string | undefined, word: string): string | number | boolean {
  if (type === "boolean") return word === "true" || word.toLowerCase() === "yes";
  return type === "number" || type === "integer" ? Number(word) : word;
}

/** By the text of the question. It has no other word for a refusal. */
function grokAnswer({ params }: RpcRequest, { option, answers = {} }: CommandOf<"reply">): object {
  if (option === DECLINE) return { outcome: "cancelled" };
  const given = objectsOf(params.questions).flatMap(({ question }, place) => {
    const words = answers[`q${place + 1}`];
    return words === undefined ? [] : [[String(question), words]];
  });
  return { outcome: "accepted", answers: Object.fromEntries(given) };
}
