/** The parts of a prompt as a client sends them. */
import { InterlinguaError } from "../core/error.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { AllowedRoots } from "./allowed-roots.ts";

/** `text` is short for one text part. */
export function partsOf(prompt: { text?: string; parts?: PromptPart[] }): PromptPart[] {
  return prompt.parts ?? [{ type: "text", text: prompt.text ?? "" }];
}

/** A file comes with its content, or lies inside the roots. */
export async function checkParts(parts: readonly PromptPart[], roots: AllowedRoots): Promise<void> {
  for (const [index, part] of parts.entries()) {
    if (part.type !== "file" || part.url.startsWith("data:")) continue;
    if (!part.url.startsWith("file:")) {
      throw new InterlinguaError("invalid_request", "A file is given by a data URL or a file URL.", {
        errors: [{ path: `parts.${index}.url`, message: "must be a data URL or a file URL" }],
      });
    }
    await roots.checkFile(part.url);
  }
}
