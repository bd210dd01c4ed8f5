/** What a prompt is made of, whatever client it came from. */
import { z } from "zod";

/** What the person looks at, say in their editor. The adapter words it for its agent. */
export const context = {
  /** An absolute path inside the session's allowed roots; the file need not be saved. */
  path: z.string().min(1).max(4096),
  language: z
    .string()
    .max(64)
    .regex(/^[^\s`]*$/, "must be one word")
    .optional(),
  /** The file's content. Without it the agent may read the file itself. */
  content: z.string().optional(),
  /** The text that is selected, or its lines, counted from 1, both included. */
  selection: z
    .union([
      z.string(),
      z
        .object({ start: z.number().int().positive(), end: z.number().int().positive() })
        .refine(({ start, end }) => start <= end, { error: "must not end before it begins" }),
    ])
    .optional(),
};

/**
 * A part of a prompt: text, a file, or what the person looks at.
 *
 * @example
 * promptPartSchema.parse({ type: "text", text: "Hello" }); // => { type: "text", text: "Hello" }
 */
export const promptPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("file"),
    /** A data URL, or a file URL inside the session's allowed roots. */
    url: z.string().min(1),
    mediaType: z.string().min(1),
    filename: z.string().optional(),
  }),
  z.object({ type: z.literal("context"), ...context }),
]);

/** A part of a prompt. */
export type PromptPart = z.infer<typeof promptPartSchema>;
/** What the person looks at. */
export type ContextPart = Extract<PromptPart, { type: "context" }>;

/** How large a prompt is, in characters. */
export function promptSize(parts: readonly PromptPart[]): number {
  let size = 0;
  for (const part of parts) size += partSize(part);
  return size;
}

function partSize(part: PromptPart): number {
  if (part.type === "text") return part.text.length;
  if (part.type === "file") return part.url.length;
  const { path, content = "", selection } = part;
  return path.length + content.length + (typeof selection === "string" ? selection.length : 0);
}

/**
 * The text of a prompt without its files and contexts.
 *
 * @example
 * promptText([{ type: "text", text: "Tidy up" }]); // => "Tidy up"
 */
export function promptText(parts: readonly PromptPart[]): string {
  return parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}
