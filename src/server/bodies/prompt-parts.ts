/** The parts of a prompt as a client sends them. */
import type { NodeFiles } from "../../core/node-files.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { invalidField } from "../../protocol/refusals.ts";
import type { AllowedRoots } from "../directories/allowed-roots.ts";

/**
 * `text` is short for one text part. A file must come with its content or be inside the roots; a context must be inside
 * the roots.
 */
export async function promptParts(
  prompt: { text?: string; parts?: PromptPart[] },
  files: Pick<NodeFiles, "checkParts">,
  session: string,
): Promise<PromptPart[]> {
  const parts = prompt.parts ?? [{ type: "text", text: prompt.text ?? "" }];
  await files.checkParts(session, parts);
  return parts;
}

export async function checkPromptFiles(
  parts: readonly PromptPart[],
  roots: AllowedRoots,
  session?: string,
): Promise<void> {
  for (const [index, part] of parts.entries())
    if (part.type === "file") await checkFile(part.url, index, roots, session);
    else if (part.type === "context") await roots.checkPath(part.path, `parts.${index}.path`, session);
}

async function checkFile(url: string, index: number, roots: AllowedRoots, session?: string): Promise<void> {
  if (url.startsWith("data:")) return;
  if (url.startsWith("file:")) return roots.checkFile(url, session);
  throw invalidField(
    `parts.${index}.url`,
    "must be a data URL or a file URL",
    "A file is given by a data URL or a file URL.",
  );
}
