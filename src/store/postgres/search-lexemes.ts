/** Words as PostgreSQL keeps and finds them. They are cut by us, so that every store finds the same. */
import { searchWords } from "../search-words.ts";

/** Longer words are found by their beginning: PostgreSQL takes 2046 bytes at most. */
const MAX_LENGTH = 500;

/** Makes the next statement of the transaction find words by their index, however many rows have them. */
export const WITHOUT_TABLE_SCANS = "SET LOCAL enable_seqscan = off";

/** Each word once, separated by spaces. */
export function lexemes(text: string): string {
  return [...new Set(searchWords(text).map(shorten))].join(" ");
}

/** A query for one word, or for all that begin with it. */
export function lexemeQuery(word: string, isBeginning: boolean): string {
  return `'${shorten(word)}'${isBeginning ? ":*" : ""}`;
}

function shorten(word: string): string {
  return word.length > MAX_LENGTH ? word.slice(0, MAX_LENGTH).toWellFormed() : word;
}
