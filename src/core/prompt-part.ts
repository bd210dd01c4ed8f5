/** What a prompt is made of, whatever client it came from. */
import { z } from "zod";

export const promptPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("file"),
    /** A data URL, or a file URL inside the session's allowed roots. */
    url: z.string().min(1),
    mediaType: z.string().min(1),
    filename: z.string().optional(),
  }),
]);

export type PromptPart = z.infer<typeof promptPartSchema>;

/** How large a prompt is, in characters. */
export function promptSize(parts: readonly PromptPart[]): number {
  let size = 0;
  for (const part of parts) size += part.type === "text" ? part.text.length : part.url.length;
  return size;
}

/** The text of a prompt without its files. */
export function promptText(parts: readonly PromptPart[]): string {
  return parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}
