/** What a person wrote → what a prompt is made of. */
import type { PromptPart } from "../../../core/prompt-part.ts";

/** `btoa` takes a string, and a call takes only so many arguments. */
const PIECE = 32_768;

/**
 * Files come before the text, as stock clients have them, each with its content.
 *
 * @example
 * const parts = await adaptUserMessage("What is in this picture?", [input.files[0]]);
 * await fetch(`/v1/sessions/${id}/messages`, { method: "POST", body: JSON.stringify({ parts }) });
 */
export async function adaptUserMessage(
  message: string,
  attachments: readonly File[] = [],
): Promise<PromptPart[]> {
  const files = await Promise.all(attachments.map(filePart));
  return message === "" && files.length > 0 ? files : [...files, { type: "text", text: message }];
}

async function filePart(file: File): Promise<PromptPart> {
  const mediaType = file.type || "application/octet-stream";
  const content = base64(new Uint8Array(await file.arrayBuffer()));
  return {
    type: "file",
    url: `data:${mediaType};base64,${content}`,
    mediaType,
    filename: file.name || undefined,
  };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += PIECE)
    text += String.fromCharCode(...bytes.subarray(start, start + PIECE));
  return btoa(text);
}
