/** What can be seen of the disk: directories inside the roots, and names of files in the directory of a session. */
import type { FileLister } from "../core/file-lister.ts";
import type { TimeSlices } from "../core/time-slices.ts";
import type { AllowedRoots } from "./allowed-roots.ts";
import { type FindFilesOptions, type FoundFiles, findFiles } from "./find-files.ts";
import { type DirectoryListing, type DirectoryQuery, listDirectories } from "./list-directories.ts";

export interface Directories {
  /** Throws `outside_roots` and `not_a_directory`. */
  list(query: DirectoryQuery): Promise<DirectoryListing>;
  /** Throws `outside_roots` and `not_a_directory`. */
  findFiles(options: FindFilesOptions): Promise<FoundFiles>;
}

export function openDirectories(means: {
  roots: AllowedRoots;
  files: FileLister;
  slices: TimeSlices;
}): Directories {
  return {
    list: (query) => listDirectories(means.roots, query),
    findFiles: (options) => findFiles(means, options),
  };
}
