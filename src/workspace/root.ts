/**
 * A root: files that share ignore rules. The directory of a session is one, and so is each repository inside it. Where
 * the directory lies in a repository, git works from the top level of that, to find all rules, and keeps to the directory.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspectFile } from "../files/regular-file.ts";
import { BYTES, Git } from "./git.ts";
import type { RuleFiles } from "./rule-files.ts";
import { rootFolder } from "./store.ts";
import type { UserRepositories } from "./user-repositories.ts";
import { UnusableRepositoryError, type UserRepository } from "./user-repository.ts";

/** Where there is no repository these are left out: they are large, and made from what is there. */
const USUALLY_IGNORED = "node_modules/\n.venv/\n__pycache__/\n";

/** Ignore rules that the tree of a checkpoint does not have. */
export interface OuterRules {
  /** Of the root they are for, below the session's directory: empty, or ending with a slash. As latin1. */
  readonly path: string;
  /** Where the root lies in git's work tree: empty, or ending with a slash. As latin1. */
  readonly prefix: string;
  /** Of no `.gitignore`. */
  readonly excludes: string;
  /** Of each directory above, from the top level down; empty where it has none. */
  readonly above: readonly string[];
}

export interface Root {
  readonly path: string;
  readonly git: Git;
  /** The covered part of git's work tree, as in its rules. */
  readonly prefix: string;
  /** Where its index is. */
  readonly folder: string;
  readonly user: UserRepository | undefined;
  readonly rules: OuterRules;
  /** False where some of the repository's own rules are refused: a file that they ignore would be taken. */
  readonly hasAllRules: boolean;
}

export interface RootRequest {
  readonly store: string;
  /** The session's, as a real path. */
  readonly directory: string;
  /** Whether what is written has to be on disk before it is used. */
  readonly isDurable?: boolean;
  readonly repositories: UserRepositories;
  /** Those of this checkpoint: what they may read together is limited. */
  readonly ruleFiles: RuleFiles;
}

/**
 * Must run under the lock of the directory.
 *
 * @param path The root's, below the session's directory.
 */
export async function openRoot(
  { store, directory, isDurable, repositories, ruleFiles }: RootRequest,
  path: string,
  signal?: AbortSignal,
): Promise<Root> {
  const own = path === "" ? directory : join(directory, Buffer.from(path, BYTES).toString());
  const repository = await repositories.find(own, signal).catch((error: unknown) => {
    if (error instanceof UnusableRepositoryError) return error;
    throw error;
  });
  const isUsable = repository !== undefined && !(repository instanceof UnusableRepositoryError);
  // A repository inside that is broken is not to be taken for the one around it.
  const user = isUsable && (path === "" || repository.prefix === "") ? repository : undefined;
  if (repository instanceof UnusableRepositoryError) ruleFiles.refuse(join(own, ".git"), repository.message);
  else if (!user && (await inspectFile(join(own, ".git"))))
    ruleFiles.refuse(join(own, ".git"), "git takes it for no repository.");
  const rules = user ? await readExcludes(user, ruleFiles) : [USUALLY_IGNORED];
  const excludes = rules.join("");
  const folder = rootFolder(store, path);
  const excludeFile = join(folder, "exclude");
  if ((await readFile(excludeFile, BYTES).catch(() => undefined)) !== excludes) {
    await mkdir(folder, { recursive: true });
    await writeFile(`${excludeFile}.scratch`, excludes, BYTES);
    await rename(`${excludeFile}.scratch`, excludeFile);
  }
  const root = user?.root ?? own;
  const prefix = user?.prefix ?? "";
  return {
    path,
    git: new Git(store, root, { excludes: excludeFile, isDurable }),
    prefix,
    folder,
    user,
    hasAllRules: !user || hasAllRules(user, ruleFiles),
    rules: { path, prefix, excludes, above: await rulesAbove(root, prefix, ruleFiles) },
  };
}

/** Those of the repository come after the person's: the later rule wins. */
async function readExcludes(user: UserRepository, ruleFiles: RuleFiles): Promise<string[]> {
  const { path, isPersonal, obstacle } = user.excludesFile;
  if (obstacle !== undefined) ruleFiles.refuse(path, obstacle);
  const personal = obstacle === undefined ? await ruleFiles.read(path, isPersonal ? "own" : "refuse") : "";
  const own = await ruleFiles.read(user.excludeFile);
  return [personal, own].map((text) => (text.endsWith("\n") || text === "" ? text : `${text}\n`));
}

function hasAllRules({ excludeFile, excludesFile }: UserRepository, ruleFiles: RuleFiles): boolean {
  if (ruleFiles.isRefused(excludeFile)) return false;
  return excludesFile.isPersonal || !ruleFiles.isRefused(excludesFile.path);
}

async function rulesAbove(root: string, prefix: string, ruleFiles: RuleFiles): Promise<string[]> {
  const parts = Buffer.from(prefix, BYTES).toString().split("/").slice(0, -1);
  const texts: string[] = [];
  for (const depth of parts.keys())
    texts.push(await ruleFiles.read(join(root, ...parts.slice(0, depth), ".gitignore")));
  return texts;
}
