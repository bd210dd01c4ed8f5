/** The words of a prompt, without its files, as sent or as stored. */
export function textOf(parts: readonly { type: string; text?: string }[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
