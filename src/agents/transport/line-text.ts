/** How a line of output is kept as the text of a raw record, and how that text is read again. */
import type { Draft } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import { JsonTooComplex, parseJson } from "../../core/parse-json.ts";
import type { Line } from "../../process/line-splitter.ts";

/** No line of JSON begins like this, so bytes that are not UTF-8 can be kept exactly. */
const BINARY_PREFIX = "data:application/octet-stream;base64,";

/** How much of an unreadable line is repeated in the log; the raw record has all that was kept. */
const EXCERPT_LENGTH = 200;

export type ParsedLine =
  | { readonly kind: "message"; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: "blank" }
  | { readonly kind: "unreadable"; readonly draft: Draft };

/** The exact line. Of one over the cap only the head is left: it is marked after a newline, which no line contains. */
export function lineText(line: Line): string {
  switch (line.kind) {
    case "line":
      return line.text;
    case "binary":
      return `${BINARY_PREFIX}${line.bytes.toString("base64")}`;
    case "overlong":
      return `${line.bytes.toString("utf8")}\n[cut: the line had ${line.length} bytes]`;
  }
}

/** Reads the text of a record as one JSON object, and says what it is where it is none. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonTooComplex)
      return { kind: "unreadable", draft: unreadable("too-complex", text) };
    if (text.trim() === "") return { kind: "blank" };
    return { kind: "unreadable", draft: unreadable(whyNotJson(text), text) };
  }
  if (!isRecord(value)) {
    return { kind: "unreadable", draft: unreadable("not-an-object", text) };
  }
  return { kind: "message", message: value };
}

export function unreadable(native: string, text: string): Draft {
  const excerpt = text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
  return { type: "agent.unknown", native, text: excerpt };
}

function whyNotJson(text: string): string {
  if (text.startsWith(BINARY_PREFIX)) return "not-utf-8";
  return text.includes("\n") ? "overlong-line" : "not-json";
}
