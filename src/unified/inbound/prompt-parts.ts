/** The content of a `user_message` → the parts of a prompt. The inverse of `promptBlocks`. Pure. */
import { type PromptPart, promptPartSchema } from "../../core/prompt-part.ts";
import type { UnifiedContent, UnifiedMessage } from "../unified-message.ts";

const MAX_ATTACHMENTS = 1000;

type Read = { parts: PromptPart[] } | { path: string; problem: string };

/** Attachments that belong to a block complete it; the others follow. */
export function promptParts({ content, metadata }: UnifiedMessage): Read {
  const { attachments = [] } = metadata;
  if (!Array.isArray(attachments) || attachments.length > MAX_ATTACHMENTS)
    return { path: "metadata.attachments", problem: `must be a list of at most ${MAX_ATTACHMENTS}` };
  const ofBlock = new Map<number, Record<string, unknown>>();
  const others: PromptPart[] = [];
  for (const [at, attachment] of attachments.entries()) {
    const path = `metadata.attachments.${at}`;
    if (typeof attachment !== "object" || attachment === null) return { path, problem: "must be an object" };
    const { block } = attachment as { block?: unknown };
    if (typeof block === "number") {
      ofBlock.set(block, attachment as Record<string, unknown>);
      continue;
    }
    const part = promptPartSchema.safeParse(attachment);
    if (!part.success)
      return { path, problem: "must be a file with url and mediaType, or a context with path" };
    others.push(part.data);
  }
  const parts: PromptPart[] = [];
  for (const [at, block] of content.entries()) {
    const part = partOf(block, ofBlock.get(at));
    if ("problem" in part) return { path: `content.${at}`, problem: part.problem };
    parts.push(part);
  }
  return { parts: [...parts, ...others] };
}

function partOf(block: UnifiedContent, more: Record<string, unknown> = {}): PromptPart | { problem: string } {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "code":
      return codePart(block, more);
    case "image": {
      const { media_type, data } = block.source;
      const filename = typeof more.filename === "string" ? { filename: more.filename } : {};
      return { type: "file", url: `data:${media_type};base64,${data}`, mediaType: media_type, ...filename };
    }
    default:
      return { problem: `must be a text, code or an image: a ${block.type} is nothing a user says` };
  }
}

/** With a path it is what the person looks at, else part of what they say. */
function codePart(
  { language, code }: Extract<UnifiedContent, { type: "code" }>,
  more: Record<string, unknown>,
): PromptPart {
  const { path, selection } = more;
  const context = promptPartSchema.safeParse({
    type: "context",
    path,
    content: code,
    ...(language !== "" && { language }),
    ...(selection !== undefined && { selection }),
  });
  if (context.success) return context.data;
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return { type: "text", text: `${fence}${language.replaceAll(/[\s`]/g, "")}\n${code}\n${fence}` };
}
