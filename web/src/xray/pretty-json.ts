/** JSON on several lines, where a text is JSON and not too long for it; else the text as it is. Pure. */

const MAX_LENGTH = 200_000;

export function prettyJson(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A frame: the JSON of each `data` line on several lines. */
export function prettyFrame(text: string): string {
  const lines = text.trimEnd().split("\n");
  return lines
    .map((line) => (line.startsWith("data: ") ? `data: ${prettyJson(line.slice(6))}` : prettyJson(line)))
    .join("\n");
}
