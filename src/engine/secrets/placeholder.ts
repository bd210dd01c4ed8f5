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

/** Whether `text` is `masked` with something in the place of each placeholder, which may be the placeholder. */
export function isTextWithPlaceholders(text: string, masked: string): boolean {
  const [first = "", ...others] = masked.split(PLACEHOLDER);
  const last = others.pop();
  if (last === undefined) return text === masked;
  if (!text.startsWith(first)) return false;
  let end = first.length;
  for (const other of others) {
    const found = text.indexOf(other, end);
    if (found < 0) return false;
    end = found + other.length;
  }
  return text.length - last.length >= end && text.endsWith(last);
}

/** Whether a stored text tells of a secret: by a placeholder, or by an answer that is left out. */
export function tellsOfSecret(text: string): boolean {
  return text.includes("[secret]") || placeholdersIn(text).length > 0;
}
