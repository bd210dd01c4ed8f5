/** What a person looks at, as text for agents that have no other field for it. Pure. */
import type { ContextPart, PromptPart } from "../../core/prompt-part.ts";

/** A part as agents take it. */
export type SentPart = Exclude<PromptPart, ContextPart>;

/** The parts with contexts as texts, each in its place. */
export function withContextAsText(parts: readonly PromptPart[]): SentPart[] {
  return parts.map((part) =>
    part.type === "context" ? { type: "text" as const, text: contextText(part) } : part,
  );
}

/** The path, what is in the file where that was given, and what of it is selected. */
export function contextText({ path, language = "", content, selection }: ContextPart): string {
  const lines = [`File: ${path}`];
  if (content !== undefined) lines.push(fenced(content, language));
  if (typeof selection === "string") lines.push("Selected:", fenced(selection, language));
  else if (selection) lines.push(selectedLines(selection));
  return lines.join("\n");
}

function selectedLines({ start, end }: { start: number; end: number }): string {
  return start === end ? `Selected: line ${start}` : `Selected: lines ${start} to ${end}`;
}

/** The fence is longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
