/** Answers of people in Codex's words. */
import { type AskAnswer, type AskEffect, isRejection } from "../../../core/ask.ts";
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { RpcParams, RpcRequest } from "../../transport/json-rpc.ts";
import { type RpcCall, resultLine } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";
import { approvalOf } from "../outbound/elicitation.ts";
import { WORDS_NOTE } from "../request-notes.ts";

/** The option that is meant where only its effect was given. */
const OPTIONS: Readonly<Partial<Record<AskEffect, string>>> = {
  once: "accept",
  always: "acceptForSession",
  reject: "decline",
  "reject-always": "decline",
};

export function replyLine(state: CodexState, reply: CommandOf<"reply">): string {
  const request = state.rpc.asked.get(reply.ask);
  if (!request) throw new InterlinguaError("ask_closed", "Codex does not wait for this answer any more.");
  const { message } = reply;
  // Codex does not look at words beside a decision; a replay does.
  const words = message === undefined ? {} : { interlingua: { message } };
  return resultLine(request.id, { ...toResult(request, reply), ...words });
}

/** An answer of Codex has no place for words. They reach the model as what steers the turn. */
export function wordsCalls({ thread, turn, rpc }: CodexState, reply: CommandOf<"reply">): RpcCall[] {
  const { ask, message, option } = reply;
  const isOwn = rpc.asked.get(ask)?.params.threadId === thread;
  if (message === undefined || option === "cancel" || !isOwn || turn?.id === undefined) return [];
  const input = [{ type: "text", text: message, text_elements: [] }];
  const params = { threadId: thread, expectedTurnId: turn.id, input };
  return [{ method: "turn/steer", params, note: WORDS_NOTE }];
}

function toResult({ method, params }: RpcRequest, reply: CommandOf<"reply">): object {
  switch (method) {
    case "item/tool/requestUserInput": {
      // No answers at all is how a question is declined.
      const given = isRejection(reply.effect) ? [] : Object.entries(reply.answers ?? {});
      return { answers: Object.fromEntries(given.map(([id, answers]) => [id, { answers }])) };
    }
    case "mcpServer/elicitation/request":
      return elicitationResult(params, reply);
    case "item/permissions/requestApproval": {
      const option = optionOf(reply);
      if (option === "decline") return { permissions: {}, scope: "turn" };
      const scope = option === "acceptForSession" ? "session" : "turn";
      return { permissions: withoutNulls(params.permissions), scope };
    }
    default:
      return { decision: decisionOf(params, optionOf(reply)) };
  }
}

function optionOf({ option, effect }: CommandOf<"reply">): string {
  return option ?? (effect && OPTIONS[effect]) ?? "decline";
}

function decisionOf({ proposedExecpolicyAmendment: amendment }: RpcParams, option: string): string | object {
  if (option !== "acceptWithExecpolicyAmendment") return option;
  return { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } };
}

/** Codex does not take back the fields it left empty. */
function withoutNulls(permissions: unknown): object {
  return Object.fromEntries(Object.entries(permissions ?? {}).filter(([, value]) => value !== null));
}

const DECLINED = { action: "decline", content: null, _meta: null };

function elicitationResult(params: RpcParams, reply: CommandOf<"reply">): object {
  const { option, effect } = reply;
  if (option === "cancel") return { ...DECLINED, action: "cancel" };
  if (isRejection(effect) || option === "decline") return DECLINED;
  if (approvalOf(params)) {
    const persist = option === "session" || option === "always" ? option : undefined;
    return { action: "accept", content: {}, _meta: persist === undefined ? null : { persist } };
  }
  return { action: "accept", content: contentOf(params, reply.answers ?? {}), _meta: null };
}

/** The answers of a form as values of the types its schema asks for. */
function contentOf({ requestedSchema }: RpcParams, answers: NonNullable<AskAnswer["answers"]>): object {
  const { properties = {} } = (requestedSchema ?? {}) as { properties?: Record<string, { type?: string }> };
  const fields = Object.entries(answers).flatMap(([name, values]) => {
    const [value] = values;
    const type = properties[name]?.type;
    if (type === "array") return [[name, values]];
    return value === undefined ? [] : [[name, toValue(value, type)]];
  });
  return Object.fromEntries(fields);
}

function toValue(text: string, type: string | undefined): unknown {
  if (type === "boolean") return text === "true" || text.toLowerCase() === "yes";
  return type === "number" || type === "integer" ? Number(text) : text;
}
