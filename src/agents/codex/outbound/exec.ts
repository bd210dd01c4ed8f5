/**
 * The events of `codex exec --json` → drafts. We run the app-server; but this is what people have in their files, and
 * it can be replayed.
 */
import type { Draft } from "../../../core/draft.ts";
import { shellCommand } from "../../../core/shell-command.ts";
import type { Translation } from "../../transport/translator.ts";
import type { CodexState } from "../conversation-state.ts";
import type { WireItemOf, WireMcpItem } from "../wire.ts";
import { endMcpCall, endSearch, startMcpCall, startSearch } from "./tool.ts";

interface ExecItem {
  readonly id: string;
  readonly type: string;
  readonly text?: string;
  readonly message?: string;
  readonly command?: string;
  readonly aggregated_output?: string;
  readonly exit_code?: number | null;
  readonly status?: string;
  readonly changes?: readonly { readonly path: string; readonly kind: "add" | "delete" | "update" }[];
  readonly server?: string;
  readonly tool?: string;
  readonly arguments?: unknown;
  readonly result?: { readonly content?: readonly unknown[]; readonly structured_content?: unknown } | null;
  readonly error?: WireMcpItem["error"];
  readonly query?: string;
  readonly action?: WireItemOf<"webSearch">["action"];
  readonly items?: readonly { readonly text: string; readonly completed: boolean }[];
}

interface ExecEvent {
  readonly type: string;
  readonly thread_id?: string;
  readonly item?: ExecItem;
  readonly usage?: Readonly<Record<string, number>>;
  readonly error?: { readonly message: string };
  readonly message?: string;
}

const EVENTS: readonly string[] = [
  "thread.started",
  "turn.started",
  "turn.completed",
  "turn.failed",
  "item.started",
  "item.updated",
  "item.completed",
  "error",
];

const CHANGES = { add: "created", delete: "deleted", update: "changed" } as const;

export function isExecEvent(message: object): message is ExecEvent {
  return "type" in message && EVENTS.includes(String(message.type));
}

export function translateExecEvent(state: CodexState, event: ExecEvent): Translation<CodexState> {
  switch (event.type) {
    case "thread.started":
      return [
        { ...state, thread: event.thread_id },
        [{ type: "session.attached", agentSessionId: event.thread_id }],
      ];
    case "turn.started":
      return [
        state,
        [{ type: "turn.started", cause: "exec", text: "Codex was run without a conversation." }],
      ];
    case "turn.completed":
      return [state, [...usageOf(event.usage), { type: "turn.ended", outcome: "completed" }]];
    case "turn.failed":
      return [
        state,
        [
          {
            type: "turn.ended",
            outcome: "failed",
            error: { code: "other", message: event.error?.message ?? "" },
          },
        ],
      ];
    case "error":
      return [state, [{ type: "notice", level: "error", code: "agent", text: event.message ?? "" }]];
    default:
      return [state, event.item ? translateItem(event.item, event.type === "item.completed") : []];
  }
}

function usageOf(usage: ExecEvent["usage"]): Draft[] {
  if (!usage) return [];
  return [
    {
      type: "usage",
      input: usage.input_tokens ?? 0,
      output: usage.output_tokens ?? 0,
      reasoning: usage.reasoning_output_tokens ?? 0,
      cacheRead: usage.cached_input_tokens ?? 0,
      cacheWrite: usage.cache_write_input_tokens ?? 0,
    },
  ];
}

function translateItem(item: ExecItem, isComplete: boolean): Draft[] {
  const { id } = item;
  switch (item.type) {
    case "agent_message":
      return isComplete ? wholePart("text", id, item.text ?? "") : [];
    case "reasoning":
      return isComplete ? wholePart("reasoning", id, item.text ?? "") : [];
    case "todo_list": {
      const entries = (item.items ?? []).map(({ text, completed }) => ({
        text,
        status: completed ? ("done" as const) : ("pending" as const),
      }));
      return [{ type: "plan.updated", entries }];
    }
    case "command_execution":
      if (isComplete) return endCommand(item);
      return [
        {
          type: "tool.start",
          call: id,
          name: "commandExecution",
          kind: "execute",
          title: shellCommand(item.command ?? ""),
        },
        { type: "tool.input", call: id, input: { command: item.command } },
      ];
    case "file_change":
      if (!isComplete) {
        return [
          { type: "tool.start", call: id, name: "fileChange", kind: "edit" },
          { type: "tool.input", call: id, input: { changes: item.changes } },
        ];
      }
      return [
        ...(item.changes ?? []).map(
          ({ path, kind }): Draft => ({
            type: "file.edited",
            path,
            kind: CHANGES[kind] ?? "changed",
            call: id,
          }),
        ),
        { type: "tool.output", call: id, output: "" },
      ];
    case "mcp_tool_call":
      return isComplete ? endMcpCall(mcpItem(item), {}) : startMcpCall(mcpItem(item), {});
    case "web_search": {
      const search = { type: "webSearch" as const, id, query: item.query ?? "", action: item.action };
      return isComplete ? endSearch(search, {}) : startSearch(search, {});
    }
    case "error":
      return [{ type: "notice", level: "warning", code: "agent", text: item.message ?? "" }];
    default:
      return isComplete ? [{ type: "agent.unknown", native: `item/${item.type}` }] : [];
  }
}

/** As the app-server says it. */
function mcpItem({
  id,
  server = "",
  tool = "tool",
  arguments: input,
  result,
  error,
  status,
}: ExecItem): WireMcpItem {
  return {
    type: "mcpToolCall",
    id,
    server,
    tool,
    arguments: input,
    result: result && { content: result.content, structuredContent: result.structured_content },
    error,
    status: status === "failed" ? "failed" : "completed",
  };
}

function endCommand({ id, status, exit_code: exitCode, aggregated_output: output = "" }: ExecItem): Draft[] {
  const result = { call: id, output, exitCode: exitCode ?? undefined };
  if (status !== "failed") return [{ type: "tool.output", ...result }];
  return [{ type: "tool.failed", ...result, error: `exit code ${exitCode}` }];
}

function wholePart(kind: "text" | "reasoning", part: string, said: string): Draft[] {
  return [
    { type: `${kind}.start`, part },
    { type: `${kind}.delta`, part, delta: said },
    { type: `${kind}.end`, part },
  ];
}
