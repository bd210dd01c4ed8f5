/** What stands in the log in place of a secret. */

const PLACEHOLDER = /\[secret [^[\]]*\]/g;

/** Without characters that would have to be escaped, so that it can stand in any text, in JSON too. */
export function placeholderOf(name: string): string {
  return `[secret ${name.replace(/["\\[\]\p{Cc}\p{Cs}]/gu, "_")}]`;
}

/** The placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** Puts values back in place of their placeholders; those it does not know stay. */
export function revealIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (placeholder) => values.get(placeholder) ?? placeholder);
}
