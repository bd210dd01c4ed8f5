/**
 * Looks at every file that a checkpoint of a root could have: names, and what the system says of them. It reads no
 * contents and knows no ignore rules.
 */
import type { Dirent } from "node:fs";
import type { TimeSlices } from "../core/time-slices.ts";
import { readEntries } from "../files/read-entries.ts";
import { findStatus, isSettled, stateOf } from "./file-state.ts";
import { BYTES } from "./git.ts";
import { pathBytes } from "./inspect-file.ts";

/** Where there is more, git is faster. */
export const MAX_WALKED_FILES = 2000;
/** With names that are ignored. */
const MAX_WALKED_NAMES = 20_000;

export interface Walk {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** By path in git's work tree, as latin1; a directory ends with a slash. */
  readonly states: ReadonlyMap<string, string>;
  /** Files that may have changed since without getting another state. */
  readonly unsettled: ReadonlySet<string>;
}

export interface WalkRequest {
  /** Git's work tree. */
  readonly root: string;
  /** The part of it to look at: empty, or ending with a slash. */
  readonly prefix: string;
  /** Of these only the kind is noted, and directories among them are not entered. */
  readonly ignored: ReadonlySet<string>;
  readonly slices: TimeSlices;
}

/** Why there is none: it would take too long, or this is something for git. */
type NoWalk = "too-much" | "unclear";

export async function walkFiles({ root, prefix, ignored, slices }: WalkRequest): Promise<Walk | NoWalk> {
  const at = Date.now();
  const states = new Map<string, string>();
  const unsettled = new Set<string>();
  let files = 0;
  let folders = [prefix];
  while (folders.length > 0) {
    const inside: string[] = [];
    files += folders.length;
    if (files > MAX_WALKED_FILES) return "too-much";
    const listed = await Promise.all(folders.map((folder) => list(root, folder)));
    for (const [place, entries] of listed.entries()) {
      if (!entries) return "unclear";
      const folder = folders[place]!;
      if (states.size + entries.length > MAX_WALKED_NAMES) return "too-much";
      for (const entry of entries) {
        if (folder === "" && entry.name === ".git") continue;
        // A repository inside, or a name that git refuses.
        if (entry.name.toLowerCase() === ".git") return "unclear";
        const path = entry.isDirectory() ? `${folder}${entry.name}/` : folder + entry.name;
        if (ignored.has(path) && !isRules(path)) {
          states.set(path, `ignored ${kindOf(entry)}`);
        } else if (entry.isDirectory()) {
          states.set(path, "directory");
          inside.push(path);
        } else {
          files += 1;
          if (files > MAX_WALKED_FILES) return "too-much";
          const status = findStatus(pathBytes(root, path));
          if (!status || status.isDirectory()) return "unclear";
          states.set(path, stateOf(status));
          if (!isSettled(status, at)) unsettled.add(path);
          await slices.pause();
        }
      }
    }
    folders = inside;
  }
  return { at, states, unsettled };
}

/** Whether a file has ignore rules, also where names are not told apart by case. */
export function isRules(path: string): boolean {
  return /(^|\/)\.gitignore$/i.test(path);
}

/** Not in this thread: a file system that does not answer would hold everything up. */
async function list(root: string, folder: string): Promise<readonly Dirent<string>[] | undefined> {
  // One more tells that there are too many.
  const listed = readEntries(pathBytes(root, folder), MAX_WALKED_NAMES + 1, BYTES);
  return await listed.then(
    ({ entries }) => entries,
    () => undefined,
  );
}

function kindOf(entry: Dirent<string>): string {
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "special";
}
