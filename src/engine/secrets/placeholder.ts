/** The placeholder of a secret in the log. */

const PLACEHOLDER = /\[secret [^[\]]*\]/g;

/** Without characters that need escaping, so that it fits into any text, JSON included. */
export function placeholderOf(name: string): string {
  return `[secret ${name.replace(/["\\[\]\p{Cc}\p{Cs}]/gu, "_")}]`;
}

/** The placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** Replaces placeholders by their values; unknown ones stay. */
export function revealIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (placeholder) => values.get(placeholder) ?? placeholder);
}
