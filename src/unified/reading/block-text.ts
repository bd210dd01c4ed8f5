/** A block that says something, as text. Pure. */
import type { UnifiedContent } from "../unified-message.ts";

export type TextBlock = Extract<UnifiedContent, { type: "text" | "thinking" | "refusal" | "code" }>;

export function blockText(block: TextBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "refusal":
      return block.refusal;
    case "code":
      return `\`\`\`${block.language}\n${block.code}\n\`\`\``;
  }
}
