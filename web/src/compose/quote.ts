/** Puts text of the conversation into the composer, as a quotation, where the person goes on writing. */

/** The event by which the composer is told. */
export const QUOTE_EVENT = "interlingua-quote";

const MAX_QUOTED_LENGTH = 4_000;

/** Does nothing where there is no composer. */
export function quote(text: string): void {
  const quoted = text
    .trim()
    .slice(0, MAX_QUOTED_LENGTH)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
  document.getElementById("composer")?.dispatchEvent(new CustomEvent(QUOTE_EVENT, { detail: quoted }));
}
