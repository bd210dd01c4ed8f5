/** Text without the codes by which a terminal would colour it: in an error message they are noise. */

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

/** Colours and cursor moves, titles and links, and what is left of a sequence that was cut. */
const CODES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]?|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-Z\\\\^_])?`,
  "g",
);

/** An agent's error message may be any value; what is not text is shown as JSON. */
export function plainText(text: unknown): string {
  if (typeof text !== "string") return JSON.stringify(text) ?? "";
  return text.includes(ESCAPE) ? text.replace(CODES, "") : text;
}
