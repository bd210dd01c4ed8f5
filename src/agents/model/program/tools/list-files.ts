/** Lists a directory. */
import { z } from "zod";
import { openDirectory, resolveInside } from "./files/confined-directory.ts";
import { SKIPPED_DIRECTORIES, walkDirectory } from "./files/walk-directory.ts";
import type { ModelTool } from "./tool.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

const MAX_ITEMS = 2000;

const input = z.object({
  path: z.string().describe("A directory, relative to the working directory or absolute inside of it."),
  recursive: z.boolean().optional().describe("Also what is in its directories; false by default."),
  hidden_files: z.boolean().optional().describe("Also names that begin with a dot; false by default."),
});

export const listFiles: ModelTool<z.infer<typeof input>> = {
  name: "list_files",
  kind: "search",
  description: `Lists a directory. Directories end in "/", links in "@". Not entered: ${[...SKIPPED_DIRECTORIES].join(", ")}. At most ${MAX_ITEMS} names.`,
  input,
  permission: "none",
  title: ({ path, recursive }) => `List ${path}${recursive ? " and all below" : ""}`,
  async run({ path, recursive = false, hidden_files = false }, { cwd, signal }) {
    try {
      await using directory = await openDirectory(cwd, await resolveInside(cwd, path));
      const items: string[] = [];
      let isCut = false;
      for await (const entry of walkDirectory(directory, {
        isRecursive: recursive,
        withHidden: hidden_files,
      })) {
        if (signal.aborted) throw new ToolFailure("aborted", "The listing was stopped.");
        isCut = items.length === MAX_ITEMS;
        if (isCut) break;
        items.push(entry.path + (entry.kind === "directory" ? "/" : entry.kind === "link" ? "@" : ""));
      }
      return { result: { type: "list_files_result", path, items, ...(isCut && { truncated: true }) } };
    } catch (error) {
      throw fileFailure(path, error);
    }
  },
};
