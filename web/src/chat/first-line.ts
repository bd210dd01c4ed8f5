/** The first line of a Markdown text as plain words, for a place with room for one line. Pure. */
import { excerpt } from "../ui/format.ts";

const MAX_LENGTH = 200;
/** What begins a heading, a quotation, an entry of a list. */
const BEGINNING = /^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\d{1,9}[.)]\s+)+/;

/** @example firstLine("## Done\n\nAll **tests** pass.") // "Done" */
export function firstLine(markdown: string): string {
  const near = markdown.slice(0, MAX_LENGTH * 8);
  const lines = near.split("\n").map((line) => line.replace(BEGINNING, "").trim());
  const line = lines.find((text) => text !== "" && !/^(?:`{3}|~{3}|[-*_=|:\s]+$)/.test(text)) ?? "";
  return excerpt(plain(line), MAX_LENGTH);
}

function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/(^|\W)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, "$1$2");
}
