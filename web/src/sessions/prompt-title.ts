/** What a session goes by that has only its first prompt: its first line or sentence, in plain words. Pure. */
import { firstLine } from "../chat/first-line.ts";
import { excerpt } from "../ui/format.ts";

const MAX_LENGTH = 60;
/** A greeting is no title: what follows it belongs to it. */
const MIN_LENGTH = 8;
/** Where nothing is near, a long word is cut. */
const NEAR = 20;

/** @example promptTitle("# Fix the **login**\n\nIt fails.") // "Fix the login" */
export function promptTitle(prompt: string): string {
  const line = firstLine(prompt);
  const words =
    line.length < MIN_LENGTH ? firstLine(prompt.slice(0, 2000).trim().replace(/\s+/g, " ")) : line;
  const [sentence = words] = /^.{8,}?[.!?](?=\s)/u.exec(words) ?? [];
  const title = excerpt(sentence.replace(/([^.])\.$/, "$1"), MAX_LENGTH);
  if (!title.endsWith("…")) return title;
  const end = title.lastIndexOf(" ");
  return end > MAX_LENGTH - NEAR ? `${title.slice(0, end).replace(/[,;:–-]+$/, "")}…` : title;
}
