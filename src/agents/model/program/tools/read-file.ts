/** Reads a text file. */
import { basename, dirname } from "node:path";
import { z } from "zod";
import { openDirectory, resolveInside } from "./files/confined-directory.ts";
import { readBytes } from "./files/read-bytes.ts";
import { decodeText } from "./files/text-content.ts";
import type { ModelTool } from "./tool.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

const MAX_READ_BYTES = 2 * 1024 * 1024;

const input = z.object({
  path: z.string().describe("Relative to the working directory, or absolute inside of it."),
});

export const readFile: ModelTool<z.infer<typeof input>> = {
  name: "read_file",
  kind: "read",
  description: "Reads a text file in the working directory.",
  input,
  permission: "none",
  title: ({ path }) => `Read ${path}`,
  async run({ path }, { cwd }) {
    try {
      const real = await resolveInside(cwd, path);
      if (real === cwd)
        throw new ToolFailure("not_a_file", "This is the session's directory. Use list_files.");
      await using directory = await openDirectory(cwd, dirname(real));
      const { bytes, stats, isCut } = await readBytes(directory, basename(real), MAX_READ_BYTES);
      const { text, encoding } = decodeText(path, bytes, { isCut });
      return {
        result: {
          type: "read_file_result",
          path,
          content: text,
          ...(encoding !== "utf-8" && { encoding }),
          ...(isCut && { truncated: true, total_bytes: Number(stats.size) }),
        },
      };
    } catch (error) {
      throw fileFailure(path, error);
    }
  },
};
