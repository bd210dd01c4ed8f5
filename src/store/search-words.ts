/** Splits text into words for the search, equally for every store. */

/** More words than this do not make a search any better. */
export const MAX_WORDS = 16;

/**
 * The words of a text, in lower case and without accents.
 *
 * @example searchWords("Déjà-vu in src/app.ts") // ["deja", "vu", "in", "src", "app", "ts"]
 */
export function searchWords(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
