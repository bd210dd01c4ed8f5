/** Changes parts of a file. */
import { z } from "zod";
import { applyEdit, type FileEdit, previewEdit } from "./files/change-file.ts";
import { applyBlocks } from "./replace/apply-blocks.ts";
import { parseBlocks } from "./replace/parse-blocks.ts";
import type { ModelTool } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";
import { withVisibleCharacters } from "./visible-characters.ts";

const input = z.object({
  path: z.string().describe("Relative to the working directory, or absolute inside of it."),
  diff: z
    .string()
    .describe(
      "One or more blocks, each: a line `<<<<<<< SEARCH`, whole lines of the file exactly as they are, a line `=======`, the lines to put there, a line `>>>>>>> REPLACE`.",
    ),
});
type Input = z.infer<typeof input>;

export const replaceInFile: ModelTool<Input> = {
  name: "replace_in_file",
  kind: "edit",
  description:
    "Replaces lines of a file by SEARCH/REPLACE blocks. The searched lines have to be there exactly once. Either all blocks are put in or none.",
  input,
  permission: "edit",
  title: ({ path }) => withVisibleCharacters(`Edit ${path}`),
  preview: async (input, { cwd }) => previewEdit(cwd, editOf(input)),
  async run(input, { cwd }) {
    const changes = await applyEdit(cwd, editOf(input));
    return { result: { type: "replace_file_result", path: input.path }, changes };
  },
};

function editOf({ path, diff }: Input): FileEdit {
  const blocks = parseBlocks(diff);
  return {
    path,
    make(before) {
      if (before) return applyBlocks(path, before.text(), blocks);
      throw new ToolFailure(
        "not_found",
        `${JSON.stringify(path)} does not exist. Create it with write_to_file.`,
      );
    },
  };
}
