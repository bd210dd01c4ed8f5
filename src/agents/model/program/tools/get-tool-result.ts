/** Pages through an earlier result that was too long to show. */
import { z } from "zod";
import type { ModelTool } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";

/** Escaped in JSON again, a page is at most about twice as long. It has to stay below what is given by reference. */
const MAX_PAGE_LENGTH = 12_000;

const input = z.object({
  tool_call_id: z.string().describe("The id that came with the preview."),
  offset: z.number().int().nonnegative().optional().describe("The character to begin with; 0 by default."),
  length: z
    .number()
    .int()
    .positive()
    .optional()
    .describe(`How many characters; ${MAX_PAGE_LENGTH} by default and at most.`),
});

export const getToolResult: ModelTool<z.infer<typeof input>> = {
  name: "get_tool_result",
  kind: "read",
  description:
    "Reads an earlier tool result that was too long to show, page by page. The result is JSON text.",
  input,
  permission: "none",
  title: ({ tool_call_id }) => `Read the result of ${tool_call_id}`,
  async run({ tool_call_id, offset = 0, length = MAX_PAGE_LENGTH }, { results }) {
    const stored = await results.get(tool_call_id).catch((error: Error) => {
      throw new ToolFailure("exception", `The result could not be read: ${error.message}`, { cause: error });
    });
    if (!stored)
      throw new ToolFailure(
        "not_found",
        `There is no result of ${JSON.stringify(tool_call_id)} any more. Call the tool again.`,
      );
    const end = Math.min(offset + Math.min(length, MAX_PAGE_LENGTH), stored.result.length);
    const text = stored.result.slice(offset, end);
    return {
      result: {
        type: "tool_result",
        tool_call_id,
        tool_name: stored.name,
        offset,
        text,
        total_length: stored.result.length,
        ...(end < stored.result.length && { next_offset: end }),
      },
    };
  },
};
