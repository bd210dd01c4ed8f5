/** The files of this node, inside its roots, for clients and for other nodes. */
import { realpath } from "node:fs/promises";
import type { FileLister } from "../../core/file-lister.ts";
import type { NodeFiles } from "../../core/node-files.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { lookAt } from "../../files/regular-file.ts";
import { checkPromptFiles } from "../bodies/prompt-parts.ts";
import { AllowedRoots } from "./allowed-roots.ts";
import { findFiles } from "./find-files.ts";
import { listDirectories } from "./list-directories.ts";

export function openLocalFiles(means: {
  roots: AllowedRoots;
  lister: FileLister;
  slices: TimeSlices;
}): NodeFiles {
  const { roots } = means;
  return {
    ...filesInside(roots),
    directoryFor: (session, path, isOpened) => roots.directory(path, isOpened ? session : undefined),
    findFiles: (options) => findFiles(means, options),
    listDirectories: (query) => listDirectories(roots, query),
  };
}

/** What is needed to make sessions and to prompt. */
export function filesInside(roots: AllowedRoots): Pick<NodeFiles, "directory" | "checkParts"> {
  return {
    directory: (path, opened) => roots.directory(path, opened),
    async checkParts(session, parts, within) {
      if (within === undefined) return checkPromptFiles(parts, roots, session);
      const real = await lookAt(within, () => realpath(within)).catch(() => within);
      await checkPromptFiles(parts, new AllowedRoots([real]));
    },
  };
}
