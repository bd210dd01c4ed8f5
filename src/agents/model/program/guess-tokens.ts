/** How many tokens messages may have, where no model has counted them. */
import type { ModelMessage } from "ai";

/** A rough guess that errs on the side of too many. */
const CHARACTERS_PER_TOKEN = 3.5;
/** An image costs about this much, however long its data is. */
const IMAGE_TOKENS = 1500;

export function guessTokens(messages: readonly ModelMessage[]): number {
  let characters = 0;
  let images = 0;
  for (const { content } of messages) {
    if (typeof content === "string") {
      characters += content.length;
      continue;
    }
    for (const part of content) {
      if (part.type === "text" || part.type === "reasoning") characters += part.text.length;
      else if (part.type === "file" || part.type === "image") images += 1;
      else if (part.type === "tool-call") characters += (JSON.stringify(part.input) ?? "").length;
      else if (part.type === "tool-result") characters += JSON.stringify(part.output).length;
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * IMAGE_TOKENS;
}
