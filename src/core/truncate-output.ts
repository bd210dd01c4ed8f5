/** Cuts a tool output that is too large for an event; the raw record keeps all of it. */

/** How much of it stands in an event unless something else is set. */
export const MAX_TOOL_OUTPUT_BYTES = 256 * 1024;

export interface Truncated {
  output: unknown;
  /** The whole size in characters; absent when nothing was cut. */
  truncatedFrom?: number;
}

export function truncateOutput(output: unknown, limit: number): Truncated {
  if (typeof output === "string") {
    return output.length <= limit ? { output } : { output: cut(output, limit), truncatedFrom: output.length };
  }
  if (typeof output !== "object" || output === null) return { output };
  const size = JSON.stringify(output).length;
  if (size <= limit) return { output };
  const shortened = cutStrings(output, Math.floor(limit / 4));
  const fits = JSON.stringify(shortened).length <= limit;
  return { output: fits ? shortened : cut(JSON.stringify(output), limit), truncatedFrom: size };
}

function cut(text: string, limit: number): string {
  return `${text.slice(0, limit)}\n… [cut here: ${text.length} characters in all, the raw record has them]`;
}

function cutStrings(value: unknown, limit: number): unknown {
  if (typeof value === "string") return value.length <= limit ? value : cut(value, limit);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, limit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutStrings(item, limit)]));
}
