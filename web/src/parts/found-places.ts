/** What a search call found, from its output. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";
import { outputTexts } from "./output-texts.ts";
import { type FoundPlace, searchResults } from "./search-results.ts";

/** Undefined where it is no search, is not over, or does not look like places. */
export function foundPlaces(tool: Pick<ToolBlock, "purpose" | "state" | "output">): FoundPlace[] | undefined {
  if (tool.purpose !== "search" || tool.state !== "output-available") return undefined;
  const { output } = tool;
  const text = typeof output === "string" ? output : onlyText(output);
  return text === undefined ? undefined : searchResults(text);
}

function onlyText(output: unknown): string | undefined {
  const texts = outputTexts(output);
  return texts?.length === 1 ? texts[0]?.text : undefined;
}

/** What was looked for. */
export function searchedPattern(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { pattern, query } = input as Record<string, unknown>;
  const value = pattern ?? query;
  return typeof value === "string" && value !== "" ? value : undefined;
}
