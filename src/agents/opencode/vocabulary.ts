/** Values of OpenCode mapped to ours. */
import type { AskOption } from "../../core/ask.ts";
import type { TurnError } from "../../core/event.ts";
import { parseJson } from "../../core/parse-json.ts";
import { type ModelFailureCode, modelFailure } from "../transport/model-failure.ts";
import { OPENCODE } from "./program.ts";
import type { WireError } from "./wire.ts";

const TOOL_KINDS: Readonly<Record<string, string>> = {
  bash: "execute",
  read: "read",
  edit: "edit",
  write: "edit",
  apply_patch: "edit",
  glob: "search",
  grep: "search",
  webfetch: "fetch",
  websearch: "fetch",
  task: "agent",
  todowrite: "plan",
  question: "question",
};

/** What becomes of a call to a tool that does not exist, or whose input is no JSON. */
export const INVALID_TOOL = "invalid";

/** Undefined for tools of plugins and MCP servers. */
export function toolKind(tool: string): string | undefined {
  return TOOL_KINDS[tool];
}

/** An "always" is remembered by the server, for its patterns. */
export function permissionOptions(covers: readonly string[]): AskOption[] {
  return [
    { id: "once", label: "Allow once", effect: "once" },
    { id: "always", label: "Always allow", effect: "always", covers: [...covers] },
    { id: "reject", label: "Reject", effect: "reject" },
  ];
}

export const DISMISS: AskOption = { id: "reject", label: "Dismiss", effect: "reject" };

export function planStatus(status: string): "pending" | "active" | "done" {
  if (status === "in_progress") return "active";
  return status === "completed" || status === "cancelled" ? "done" : "pending";
}

export function planPriority(priority: string | undefined): "high" | "medium" | "low" | undefined {
  return priority === "high" || priority === "medium" || priority === "low" ? priority : undefined;
}

export const ABORTED = "MessageAbortedError";

const ERROR_CODES: Readonly<Record<string, string>> = {
  MessageOutputLengthError: "output_limit",
  ContentFilterError: "content_filter",
};

/** Its names of failures in words that all agents share. A provider whose key is missing is asked nothing. */
const FAILURES: Readonly<Record<string, ModelFailureCode>> = {
  ProviderAuthError: "agent_not_signed_in",
  ContextOverflowError: "context_full",
};

export function turnError({ name, data }: WireError): TurnError {
  const said = plainMessage(data?.message ?? name);
  const failure = { code: FAILURES[name], status: data?.statusCode, said };
  return modelFailure(failure, OPENCODE) ?? { code: ERROR_CODES[name] ?? "model_error", message: said };
}

/** The server tells an error a second time as what its own code threw. */
export function isStackTrace({ data }: WireError): boolean {
  // Spaces without line ends: with `\s` the time would grow with the square of a run of line ends.
  return /\n[^\S\n]+at /.test(data?.message ?? "");
}

/** Answers to bad requests have one of two shapes. */
export function refusalText(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { message, data, _tag, name } = body as Readonly<Record<string, unknown>>;
  if (typeof message === "string") return message;
  const inner = (data as { message?: unknown } | undefined)?.message;
  if (typeof inner === "string") return inner;
  return typeof _tag === "string" ? _tag : typeof name === "string" ? name : undefined;
}

/** Some providers put a JSON object where a sentence belongs. */
export function plainMessage(message: string): string {
  try {
    const parsed: unknown = parseJson(message);
    const inner = (parsed as { message?: unknown } | null)?.message;
    return typeof inner === "string" ? inner : message;
  } catch {
    return message;
  }
}

/** Until a title was made of the first prompt. */
export function isPlaceholderTitle(title: string): boolean {
  return /^New session - /.test(title);
}
