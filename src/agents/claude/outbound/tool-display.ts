/** How a call of a tool is shown to people: what kind it is, its title, and the files it is about. */
import { isRecord } from "../../../core/is-record.ts";
import type { WireBlock, WireToolUse } from "../wire.ts";

const KINDS: Readonly<Record<string, string>> = {
  Bash: "execute",
  Monitor: "execute",
  Read: "read",
  Write: "edit",
  Edit: "edit",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Glob: "search",
  Grep: "search",
  WebSearch: "search",
  ToolSearch: "search",
  WebFetch: "fetch",
  Agent: "agent",
  Task: "agent",
  TodoWrite: "plan",
  TaskCreate: "plan",
  TaskUpdate: "plan",
  TaskList: "plan",
  TaskGet: "plan",
  AskUserQuestion: "question",
  EnterPlanMode: "switch_mode",
  ExitPlanMode: "switch_mode",
};

/** The field of the input that says best what a call is about. */
const SUBJECTS: Readonly<Record<string, string>> = {
  Bash: "command",
  Agent: "description",
  Task: "description",
  WebFetch: "url",
  WebSearch: "query",
  Glob: "pattern",
  Grep: "pattern",
  ToolSearch: "query",
  TaskCreate: "subject",
  Skill: "skill",
};

/** Calls of the model's own server, like its web search, look the same. */
export function isToolUse(block: WireBlock): block is WireToolUse {
  return block.type === "tool_use" || block.type === "server_tool_use" || block.type === "mcp_tool_use";
}

export function toolKind(name: string): string | undefined {
  return KINDS[name];
}

export function toolTitle(name: string, input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const path = pathOf(input);
  if (path !== undefined) return `${name} ${path.slice(path.lastIndexOf("/") + 1)}`;
  if (name === "AskUserQuestion") return firstQuestion(input);
  if (name === "ExitPlanMode") return "The plan is ready";
  const subject = SUBJECTS[name];
  return subject === undefined ? undefined : textField(input, subject);
}

export function toolLocations(input: unknown): { path: string }[] | undefined {
  const path = isRecord(input) ? pathOf(input) : undefined;
  return path === undefined ? undefined : [{ path }];
}

export function textField(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" ? value : undefined;
}

function pathOf(input: Readonly<Record<string, unknown>>): string | undefined {
  return textField(input, "file_path") ?? textField(input, "notebook_path");
}

function firstQuestion({ questions }: Readonly<Record<string, unknown>>): string | undefined {
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return isRecord(first) ? textField(first, "question") : undefined;
}
