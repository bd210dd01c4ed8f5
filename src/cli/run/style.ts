/** Colours, where somebody sees them. */
import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** For one stream: a terminal in which NO_COLOR is not set. */
export function stylist(stream: NodeJS.WriteStream): (format: Format, text: string) => string {
  return (format, text) => styleText(format, text, { stream, validateStream: true });
}
