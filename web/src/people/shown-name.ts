/** A name in the log as the page shows it: that it was used on a page goes without saying. Reads within a sentence. */
import { clip } from "../ui/format.ts";

const MAX_LENGTH = 80;

export function shownName(by: string): string {
  return clip(by.replace(/ \(page\)$/, "").replace(/^owner(?= \(|$)/, "the owner"), MAX_LENGTH);
}
