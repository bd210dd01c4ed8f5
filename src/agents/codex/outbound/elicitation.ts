/** What an MCP server asks through Codex → asks. Codex itself asks for approval of MCP tools in the same way. */
import type { AskOption, AskQuestion } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import type { RpcParams } from "../../transport/json-rpc.ts";
import type { CodexState } from "../conversation-state.ts";
import type { Origin } from "./origin.ts";

const ALLOW: AskOption = { id: "accept", label: "Allow", effect: "once" };
const DECLINE: AskOption = { id: "decline", label: "Decline", effect: "reject" };
const CANCEL: AskOption = { id: "cancel", label: "Decline and stop", effect: "reject", stops: true };

/** How long Codex may remember an approval, in its words. */
const PERSISTENT: Readonly<Record<string, AskOption>> = {
  session: { id: "session", label: "Allow for this session", effect: "always", storedIn: "session" },
  always: { id: "always", label: "Always allow", effect: "always" },
};

export function elicitation(state: CodexState, ask: string, params: RpcParams, origin: Origin): Draft {
  const title = String(params.message ?? "An MCP server has a question");
  if (approvalOf(params)) return toolApproval(state, ask, title, params, origin);
  const description = `Asked by the MCP server ${String(params.serverName)}.`;
  const opened = { type: "ask.opened" as const, ask, title, description, ...origin };
  if (typeof params.url === "string") {
    const open: AskOption = { ...ALLOW, label: "Done" };
    return { ...opened, kind: "permission", url: params.url, options: [open, DECLINE] };
  }
  return { ...opened, kind: "question", options: [], questions: questionsOf(params.requestedSchema) };
}

/** The approval of a tool in the guise of an empty form. */
export function approvalOf({ _meta: meta }: RpcParams): RpcParams | undefined {
  const details = meta as RpcParams | null | undefined;
  return details?.codex_approval_kind === "mcp_tool_call" ? details : undefined;
}

function toolApproval(
  state: CodexState,
  ask: string,
  title: string,
  params: RpcParams,
  origin: Origin,
): Draft {
  const { persist, tool_description: description, tool_params: input } = approvalOf(params) ?? {};
  const call = [...state.mcpCalls].findLast(([, server]) => server === params.serverName)?.[0];
  const lasting = (Array.isArray(persist) ? persist : []).flatMap((name) => PERSISTENT[String(name)] ?? []);
  return {
    type: "ask.opened",
    ask,
    kind: "permission",
    call,
    title,
    ...(typeof description === "string" && { description }),
    ...(input != null && { detail: { input } }),
    options: [ALLOW, ...lasting, DECLINE, CANCEL],
    ...origin,
  };
}

interface FormField {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title?: string }[];
  /** Of an array: what may be chosen, more than one. */
  readonly items?: FormField;
  readonly default?: unknown;
}

const TYPES: Readonly<Record<string, AskQuestion["type"]>> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "boolean",
};

function questionsOf(schema: unknown): AskQuestion[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, FormField>;
    required?: string[];
  };
  return Object.entries(properties).map(([id, field]) => {
    const choices = choicesOf(field.items ?? field);
    return {
      id,
      text: field.title ?? id,
      description: field.description,
      ...(choices
        ? { options: choices, free: false }
        : { type: TYPES[field.type ?? ""] ?? "text", free: true }),
      ...(field.type === "array" && { multiple: true }),
      required: required.includes(id),
      ...(field.default !== undefined && { default: [field.default].flat().map(String) }),
    };
  });
}

function choicesOf(field: FormField): AskQuestion["options"] {
  if (field.oneOf) return field.oneOf.map(({ const: value, title }) => toChoice(value, title));
  return field.enum?.map((value, place) => toChoice(value, field.enumNames?.[place]));
}

function toChoice(value: string, name: string | undefined) {
  return name === undefined ? { label: value } : { label: name, value };
}
