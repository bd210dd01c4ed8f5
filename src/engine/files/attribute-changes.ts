/** Whose change it is: what the agent said of the files that changed in its turn, and what agents beside it said. */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { FileDifference } from "../../core/workspace.ts";
import { lookAt } from "../../files/regular-file.ts";

/** What an agent said it changed. */
export interface Report {
  /** Where it works. */
  readonly cwd: string;
  readonly edited: readonly string[];
}

export interface AttributedChanges {
  /** What nobody has said yet. */
  readonly unreported: readonly FileDifference[];
  /** Files that only an agent of another session said it changed. */
  readonly foreign: readonly string[];
  /** Files that this agent and somebody else may both have changed. */
  readonly mixed: readonly string[];
}

/**
 * `others` are the reports of turns of other sessions in the same time and the same files. With `hasOthers` somebody who
 * reports nothing, like a person, may have changed files too.
 */
export async function attributeChanges(
  changes: readonly FileDifference[],
  own: Report,
  others: readonly Report[],
  hasOthers = others.length > 0,
): Promise<AttributedChanges> {
  if (changes.length === 0) return { unreported: [], foreign: [], mixed: [] };
  const isOwn = await reportedPaths([own], own.cwd);
  const isOthers = await reportedPaths(others, own.cwd);
  const paths = hasOthers ? changes.map(({ path }) => path) : [];
  return {
    unreported: changes.filter(({ path }) => !isOwn.has(path) && !isOthers.has(path)),
    foreign: paths.filter((path) => isOthers.has(path) && !isOwn.has(path)),
    mixed: paths.filter((path) => isOthers.has(path) === isOwn.has(path)),
  };
}

/**
 * The same, where agents of other nodes worked there too. What they said lately may be what only a checkpoint showed them,
 * so it is nobody's alone; of such whose words are not known everything may be theirs.
 */
export async function attributeBesideOthers(
  changes: readonly FileDifference[],
  own: Report,
  others: readonly Report[],
  elsewhere: readonly Report[] | "unknown",
): Promise<AttributedChanges> {
  const { unreported, foreign, mixed } = await attributeChanges(changes, own, others, true);
  const isTheirs = elsewhere === "unknown" ? { has: () => true } : await reportedPaths(elsewhere, own.cwd);
  const suspects = changes.map(({ path }) => path).filter((path) => isTheirs.has(path));
  const taken = new Set(foreign);
  return {
    unreported,
    foreign,
    mixed: [...new Set([...mixed, ...suspects])].filter((path) => !taken.has(path)),
  };
}

/** Agents give absolute paths or such that begin where they work, some of them through links. */
async function reportedPaths(reports: readonly Report[], directory: string): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const folders = new Map<string, Promise<string>>();
  for (const { cwd, edited } of reports) {
    for (const path of new Set(edited)) {
      const absolute = resolve(cwd, path);
      known.add(relative(directory, absolute));
      const folder = dirname(absolute);
      // It may have been removed in the turn.
      const real = folders.get(folder) ?? lookAt(folder, () => realpath(folder)).catch(() => folder);
      folders.set(folder, real);
      known.add(relative(directory, join(await real, basename(absolute))));
    }
  }
  return known;
}
