/** Names the conversation. */
import { z } from "zod";
import type { ModelTool } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";

const MAX_TITLE_LENGTH = 200;

const input = z.object({
  title: z.string().describe("A few words that say what the conversation is about."),
});

export const setDialogTitle: ModelTool<z.infer<typeof input>> = {
  name: "set_dialog_title",
  kind: "other",
  description: "Gives this conversation a short title. Use it once the topic is clear, and when it changes.",
  input,
  permission: "none",
  title: ({ title }) => `Name the conversation “${oneLine(title)}”`,
  async run({ title }, context) {
    const line = oneLine(title);
    if (line === "") throw new ToolFailure("invalid_argument", "A title needs at least one character.");
    context.setTitle(line);
    return { result: { type: "set_dialog_title_result", title: line } };
  },
};

function oneLine(text: string): string {
  return [...text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, MAX_TITLE_LENGTH).join("");
}
