/** What a call is about, in words that fit on its line, and its values as text. Pure. */

import { shellCommand } from "../../../src/core/shell-command.ts";
import { isRecord } from "../is-record.ts";
import { clip, LINE_LENGTH } from "../ui/format.ts";
import { searchedPattern } from "./found-places.ts";
import { withoutDirectory } from "./relative-path.ts";

const TELLING = [
  "command",
  "cmd",
  "path",
  "file_path",
  "filePath",
  "query",
  "pattern",
  "url",
  "prompt",
  "task",
  "description",
];

/** The one value of the input that says most; undefined when none stands out or the title says it already. */
export function inputSummary(input: unknown, title: string | undefined): string | undefined {
  if (typeof input === "string") return clip(input) || undefined;
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Record<string, unknown>;
  for (const name of TELLING) {
    const value = fields[name];
    const text = Array.isArray(value) ? joined(value.slice(0, 100)) : value;
    if (typeof text === "string" && text !== "") return title?.includes(text) ? undefined : clip(text);
  }
  return undefined;
}

export interface ToolLine {
  title?: string;
  /** A command, a path or a pattern, in the letters of code. */
  detail?: string;
}

/** What a call is called, in words where there are any, and what it is about. */
export function toolLine(tool: NamedTool, cwd: string | undefined): ToolLine {
  const { name, title, purpose, input } = tool;
  const command = commandOf(input);
  if (purpose === "execute" && command !== undefined) {
    const { description } = input as { description?: unknown };
    // What the agent said of a command that somebody changed may not hold any more.
    const isTold = typeof description === "string" && description !== command && !tool.edited;
    const words = isTold ? clip(description) : undefined;
    return { title: words, detail: clip(withoutDirectory(oneLine(shellCommand(command)), cwd)) };
  }
  const pattern = purpose === "search" ? searchedPattern(input) : undefined;
  if (pattern !== undefined && (title === undefined || title === pattern))
    return { title: "Searched", detail: clip(withoutDirectory(oneLine(pattern), cwd)) };
  const words = clip(withoutDirectory(title ?? name, cwd));
  if (purpose === "agent" && title !== undefined) return { title: words };
  const detail = withoutDirectory(inputSummary(input, title) ?? "", cwd);
  return { title: words, detail: detail === "" || words.includes(detail) ? undefined : detail };
}

interface NamedTool {
  name: string;
  title?: string;
  purpose?: string;
  input?: unknown;
  edited?: object;
}

function oneLine(text: string): string {
  return text.slice(0, 2_000).replace(/\s*\n\s*/g, " ⏎ ");
}

/** Whether the line of a call, when it may wrap, says all of its command: then it is not repeated below. */
export function isCommandInLine(tool: NamedTool): boolean {
  const command = commandOf(tool.input);
  if (tool.purpose !== "execute" || command === undefined) return false;
  const shown = shellCommand(command);
  return (
    shown.length <= LINE_LENGTH && !shown.includes("\n") && toolLine(tool, undefined).title === undefined
  );
}

/** Whether the line of a call says all of its input: one path, pattern or address. */
export function isNamedByLine(input: unknown, purpose: string | undefined): boolean {
  if (!["read", "search", "fetch"].includes(purpose ?? "")) return false;
  if (typeof input !== "object" || input === null) return false;
  const [only, ...rest] = Object.entries(input);
  return only !== undefined && rest.length === 0 && TELLING.includes(only[0]) && String(only[1]).length < 80;
}

/** A command that is about to run is read as a command, not as JSON. */
export function commandOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { command, cmd } = input as Record<string, unknown>;
  const value = command ?? cmd;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? joined(value) : undefined;
}

function joined(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? value : jsonText(value))).join(" ");
}

/** A value as text: strings as they are, the text in an object where that is all of it, else JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (isRecord(value)) {
    for (const name of ["stdout", "output", "content", "text"]) {
      const text = value[name];
      const others = Object.keys(value).filter((key) => key !== name && !ECHOED.has(key));
      if (typeof text === "string" && others.length === 0) return text;
    }
    const [only, ...rest] = Object.values(value);
    if (typeof only === "string" && rest.length === 0 && only.includes("\n")) return only;
  }
  return jsonText(value);
}

/** The depth to which a deeply nested value is shown. */
const DEEPEST = 60;

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? "";
  } catch {
    // It needs a stack as deep as the value is.
    return JSON.stringify(pruned(value, DEEPEST), null, 2);
  }
}

function pruned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "… (nested deeper)";
  if (Array.isArray(value)) return value.map((item) => pruned(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, pruned(field, depth - 1)]));
}

/** The fields of a small flat object; undefined for anything that is better read as text. */
export function shortFields(value: unknown): [string, string][] | undefined {
  if (!isRecord(value)) return undefined;
  const fields = Object.entries(value);
  if (fields.length === 0 || fields.length > 8) return undefined;
  const isShort = fields.every(
    ([, field]) =>
      ["string", "number", "boolean"].includes(typeof field) &&
      String(field).length <= 160 &&
      !/\n./.test(String(field)),
  );
  // Where one field is the text that counts, it is shown as text.
  return isShort && valueText(value) === jsonText(value)
    ? fields.map(([name, field]) => [name, String(field)])
    : undefined;
}

/** Fields of a result that only repeat the input. */
const ECHOED: ReadonlySet<string> = new Set(["command", "cmd", "path", "file_path"]);

export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
