/** What an answer to an agent's ask says, read back from the line that carried it. */
import type { AskAnswer } from "../../core/ask.ts";
import { isRecord } from "../../core/is-record.ts";
import type { RpcRequest } from "../transport/json-rpc.ts";
import { GROK_QUESTION, permissionOptions, VISITED } from "./outbound/ask.ts";
import { objectOf, objectsOf, textOf } from "./untyped.ts";
import { AGENT_METHOD } from "./wire.ts";

/** `cancelled`: nobody answered. Undefined when the request was none for a person, or the answer is no answer. */
export function meaningOf(
  { method, params }: RpcRequest,
  result: unknown,
): AskAnswer | "cancelled" | undefined {
  switch (method) {
    case AGENT_METHOD.requestPermission:
      return permissionMeaning(objectOf(objectOf(result).outcome));
    case AGENT_METHOD.elicit:
      return elicitationMeaning(objectOf(result));
    case GROK_QUESTION:
      return grokMeaning(objectsOf(params.questions), objectOf(result));
    default:
      return undefined;
  }
}

export function isRefusal({ method, params }: RpcRequest, meaning: AskAnswer): boolean {
  if (method !== AGENT_METHOD.requestPermission) return false;
  const chosen = permissionOptions(params).find(({ id }) => id === meaning.option);
  return chosen?.effect === "reject" || chosen?.effect === "reject-always";
}

function permissionMeaning({ outcome, optionId }: Readonly<Record<string, unknown>>) {
  const option = textOf(optionId);
  if (outcome === "cancelled") return "cancelled";
  return outcome === "selected" && option !== undefined ? { option } : undefined;
}

function elicitationMeaning({ action, content }: Readonly<Record<string, unknown>>) {
  if (action === "cancel") return "cancelled";
  if (action === "decline") return { option: "decline" };
  if (action !== "accept") return undefined;
  if (!isRecord(content)) return { option: VISITED };
  const answers = Object.entries(content).map(([id, value]) => [id, [value].flat().map(String)]);
  return { answers: Object.fromEntries(answers) };
}

function grokMeaning(
  questions: readonly Readonly<Record<string, unknown>>[],
  { outcome, answers }: Readonly<Record<string, unknown>>,
) {
  if (outcome !== "accepted") return "cancelled";
  const told = objectOf(answers);
  const found = questions.flatMap(({ question }, place) => {
    const answer = told[String(question)];
    return answer === undefined ? [] : [[`q${place + 1}`, [answer].flat().map(String)]];
  });
  return { answers: Object.fromEntries(found) };
}
