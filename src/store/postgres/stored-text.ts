/**
 * Text as PostgreSQL can keep it. It takes neither NUL nor half of a surrogate pair; both are written with a character
 * of the private use area before them, and so is that character itself. Every other text stays as it is.
 */
const MARK = "\uf8f0";

const UNFIT = /[\0\uf8f0]|\p{Surrogate}/gu;
const MARKED = /\uf8f0([0-9a-f]{4})/g;

/** @example encodeText("a\0b") // "a\uf8f00000b" */
export function encodeText(text: string): string {
  if (!/[\0\uf8f0]/.test(text) && text.isWellFormed()) return text;
  return text.replace(
    UNFIT,
    (character) => `${MARK}${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function decodeText(stored: string): string {
  if (!stored.includes(MARK)) return stored;
  return stored.replace(MARKED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** NULL stays NULL. */
export function encodeOptional(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}

/** NULL stays NULL. */
export function decodeOptional(stored: string | null): string | null {
  return stored === null ? null : decodeText(stored);
}

/** A row with the texts that were encoded. Those of other columns, such as JSON, stay as they are. */
export function decodeTexts<Row extends object>(row: Row, others: readonly (keyof Row)[] = []): Row {
  return mapTexts(row, decodeText, others);
}

/** @example encodeTexts({ name: "a\0b", sessions: "[]" }, ["sessions"]) // { name: "a\uf8f00000b", sessions: "[]" } */
export function encodeTexts<Row extends object>(row: Row, others: readonly (keyof Row)[] = []): Row {
  return mapTexts(row, encodeText, others);
}

function mapTexts<Row extends object>(
  row: Row,
  change: (text: string) => string,
  others: readonly (keyof Row)[],
): Row {
  const changed = { ...row };
  for (const column of Object.keys(row) as (keyof Row)[]) {
    const value = row[column];
    if (typeof value === "string" && !others.includes(column))
      changed[column] = change(value) as typeof value;
  }
  return changed;
}
