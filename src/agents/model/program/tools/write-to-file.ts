/** Writes a whole file. */
import { z } from "zod";
import { applyEdit, type FileEdit, previewEdit } from "./files/change-file.ts";
import type { ModelTool } from "./tool.ts";
import { withVisibleCharacters } from "./visible-characters.ts";

const input = z.object({
  path: z.string().describe("Relative to the working directory, or absolute inside of it."),
  content: z.string().describe("All that the file shall hold."),
});
type Input = z.infer<typeof input>;

export const writeToFile: ModelTool<Input> = {
  name: "write_to_file",
  kind: "edit",
  description:
    "Creates a file with this content, or replaces all of it. Directories are made. To change a part use replace_in_file.",
  input,
  permission: "edit",
  title: ({ path }) => withVisibleCharacters(`Write ${path}`),
  preview: (input, { cwd }) => previewEdit(cwd, editOf(input)),
  async run(input, { cwd }) {
    const changes = await applyEdit(cwd, editOf(input));
    return { result: { type: "write_file_result", path: input.path }, changes };
  },
};

function editOf({ path, content }: Input): FileEdit {
  return {
    path,
    isWhole: true,
    make: (before) => (before?.hasOnlyCarriageReturns() ? withCarriageReturns(content) : content),
  };
}

/** Models write plain line breaks, also into files that have others. */
function withCarriageReturns(content: string): string {
  return content.includes("\r") ? content : content.replaceAll("\n", "\r\n");
}
