/** Files of a session's directory by a few letters of their names, to be named in a prompt. */
import { lstat } from "node:fs/promises";
import type { FileLister } from "../../core/file-lister.ts";
import type { FindFilesOptions, FoundFiles } from "../../core/node-files.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { AllowedRoots } from "./allowed-roots.ts";
import { rankPaths } from "./rank-paths.ts";

interface Means {
  roots: AllowedRoots;
  lister: FileLister;
  slices: TimeSlices;
}

/** Throws `outside_roots` and `not_a_directory` where the session could not work now. */
export async function findFiles(
  { roots, lister, slices }: Means,
  { session, cwd, search, limit }: FindFilesOptions,
): Promise<FoundFiles> {
  await using held = await roots.open(cwd, { field: "cwd", session });
  const { paths, isTruncated } = await lister.list(held.path, held.at());
  const ranked = await rankPaths(paths, { search, limit, slices });
  // Git also has those that were just deleted.
  const isThere = await Promise.all(
    ranked.map(({ path }) =>
      lstat(held.at(path)).then(
        () => true,
        () => false,
      ),
    ),
  );
  const files = ranked.filter((_, index) => isThere[index]);
  return { files, ...(isTruncated && { isTruncated: true }) };
}
