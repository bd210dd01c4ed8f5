/** Deletes a file, or a link and not what it leads to. */
import { lstat, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { assertNotGit, MAX_EDIT_BYTES } from "./files/change-file.ts";
import { type OpenDirectory, openDirectory, resolveEntryInside } from "./files/confined-directory.ts";
import { diffOf } from "./files/diff-of.ts";
import { readBytes } from "./files/read-bytes.ts";
import { decodeText } from "./files/text-content.ts";
import type { FileChange, ModelTool } from "./tool.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";
import { withVisibleCharacters } from "./visible-characters.ts";

const input = z.object({
  path: z.string().describe("Relative to the working directory, or absolute inside of it."),
});

export const deleteFile: ModelTool<z.infer<typeof input>> = {
  name: "delete_file",
  kind: "delete",
  description: "Deletes one file. Directories are not deleted; use run_command for them.",
  input,
  permission: "edit",
  title: ({ path }) => withVisibleCharacters(`Delete ${path}`),
  preview: ({ path }, { cwd }) => withEntry(cwd, path, async (_directory, _name, change) => [change]),
  run: ({ path }, { cwd }) =>
    withEntry(cwd, path, async (directory, name, change) => {
      await unlink(directory.at(name));
      return { result: { type: "delete_file_result", path }, changes: [change] };
    }),
};

async function withEntry<Value>(
  cwd: string,
  path: string,
  act: (directory: OpenDirectory, name: string, change: FileChange) => Promise<Value>,
): Promise<Value> {
  try {
    const target = await resolveEntryInside(cwd, path);
    assertNotGit(cwd, target, path);
    await using directory = await openDirectory(cwd, dirname(target));
    const name = basename(target);
    if ((await lstat(directory.at(name))).isDirectory())
      throw new ToolFailure("not_a_file", `${JSON.stringify(path)} is a directory.`);
    const diff = await deletionDiff(directory, name, target);
    return await act(directory, name, { path: target, change: "deleted", ...(diff && { diff }) });
  } catch (error) {
    throw fileFailure(path, error);
  }
}

/** Undefined for all but text files. */
async function deletionDiff(
  directory: OpenDirectory,
  name: string,
  target: string,
): Promise<string | undefined> {
  try {
    const { bytes, isCut } = await readBytes(directory, name, MAX_EDIT_BYTES);
    return isCut ? undefined : diffOf(target, decodeText(target, bytes).text, undefined);
  } catch {
    return undefined;
  }
}
