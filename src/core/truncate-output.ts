/** Cuts a tool output that is too large for an event; the raw record keeps all of it. */
import { boundValue, cutText, isWithin, sizeOf } from "./bound-value.ts";

/** The default limit. */
export const MAX_TOOL_OUTPUT_BYTES = 256 * 1024;

export interface Truncated {
  output: unknown;
  /** The whole size in characters; absent when nothing was cut. */
  truncatedFrom?: number;
}

export function truncateOutput(output: unknown, limit: number): Truncated {
  if (typeof output === "string") {
    return output.length <= limit
      ? { output }
      : { output: cutText(output, limit), truncatedFrom: output.length };
  }
  return isWithin(output, limit)
    ? { output }
    : { output: boundValue(output, limit), truncatedFrom: sizeOf(output) };
}
