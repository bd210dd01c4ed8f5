/**
 * A written account of a conversation, for an agent that begins a new one and cannot be given the history itself. Who said
 * what, a line for each tool call; the newest where all of it would be too long.
 */
import type { ContentPart, Message } from "./message.ts";

/** How long an account may be, in characters. */
const MAX_ACCOUNT_LENGTH = 48_000;
/** How much of one text is kept, in characters. */
const MAX_TEXT_LENGTH = 12_000;
/** How much of a tool's input and result is kept. */
const MAX_CALL_LENGTH = 200;

/** Every account begins with it. */
export const ACCOUNT_BEGINNING = "[Account of the conversation so far.";

const HEAD = `${ACCOUNT_BEGINNING} It was written down for you, because you do not have that conversation \
yourself: take it as what was said and done in it, and do not do it again.]`;
const CUT = "[Earlier messages are left out, because the account would be too long.]";
const END = "[End of the account. What follows is said now.]";

/** @returns undefined if nothing was said. Reads no further than it needs. `newestFirst` are the messages. */
export async function writeAccount(newestFirst: AsyncIterable<Message>): Promise<string | undefined> {
  const entries: string[] = [];
  let length = 0;
  for await (const message of newestFirst) {
    const entry = entryOf(message);
    if (entry === "") continue;
    length += entry.length;
    if (length > MAX_ACCOUNT_LENGTH && entries.length > 0) {
      entries.push(CUT);
      break;
    }
    entries.push(entry);
  }
  return entries.length === 0 ? undefined : [HEAD, ...entries.reverse(), END].join("\n\n");
}

/** What was said with the account before it. */
export function withoutAccount(text: string): string {
  if (!text.startsWith(ACCOUNT_BEGINNING)) return text;
  const end = text.lastIndexOf(END);
  return end < 0 ? text : text.slice(end + END.length).trimStart();
}

function entryOf({ role, content, metadata }: Message): string {
  const results = new Map(
    content.flatMap((part) => (part.type === "tool_result" ? [[part.call, part] as const] : [])),
  );
  const lines = content.flatMap((part) => lineOf(part, results));
  if (metadata.outcome !== undefined && metadata.outcome !== "completed")
    lines.push(`(The turn ended: ${metadata.outcome}${metadata.error ? `, ${metadata.error.message}` : ""})`);
  if (lines.length === 0) return "";
  const speaker = role === "user" ? "User" : role === "assistant" ? "You" : "System";
  return shorten(`${speaker}: ${lines.join("\n")}`, MAX_ACCOUNT_LENGTH);
}

type ToolResult = Extract<ContentPart, { type: "tool_result" }>;

/** What a sub-agent said and did is its own affair, and so are thoughts. */
function lineOf(part: ContentPart, results: ReadonlyMap<string, ToolResult>): string[] {
  if (part.parent !== undefined) return [];
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [shorten(part.text, MAX_TEXT_LENGTH)];
    case "file":
      return [`(File: ${fileName(part)})`];
    case "context":
      return [`(Looking at ${part.path})`];
    case "tool_call":
      return [callLine(part, results.get(part.call))];
    default:
      return [];
  }
}

function fileName({ filename, url, mediaType }: Extract<ContentPart, { type: "file" }>): string {
  return filename ?? (url === undefined || url.startsWith("data:") ? mediaType : url);
}

function callLine(call: Extract<ContentPart, { type: "tool_call" }>, result: ToolResult | undefined): string {
  const input = call.input === undefined ? "" : ` ${oneLine(call.input)}`;
  return `(Tool ${call.title ?? call.name}${input}: ${resultText(result)})`;
}

function resultText(result: ToolResult | undefined): string {
  if (!result) return "no result";
  const said = result.error ?? result.output;
  return said === undefined ? result.state : `${result.state}, ${oneLine(said)}`;
}

function oneLine(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shorten(
    text
      .slice(0, 4 * MAX_CALL_LENGTH)
      .replace(/\s+/g, " ")
      .trim(),
    MAX_CALL_LENGTH,
  );
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)} […]`;
}
