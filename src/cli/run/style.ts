/** Colours, where somebody sees them. */
import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** For one stream: a terminal in which NO_COLOR is not set. */
export function stylist(stream: NodeJS.WriteStream): (format: Format, text: string) => string {
  return (format, text) => styleText(format, text, { stream, validateStream: true });
}

/**
 * Agents and other people choose these texts: none of them is to move the cursor, to colour the terminal or to set its
 * title. Line breaks and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "");
}
