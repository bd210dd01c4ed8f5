/** What is asked of the person's own repository. Nothing is written into it. */
import { readFile } from "node:fs/promises";
import { findState } from "./file-state.ts";
import { askGit, BYTES, GitError, zeroSeparated } from "./git.ts";

export interface UserRepository {
  /** The top level of its work tree. */
  readonly root: string;
  /** Where the directory that was asked about lies in it: empty, or ending with a slash. As latin1. */
  readonly prefix: string;
  readonly objects: string;
  readonly indexFile: string;
  readonly excludeFile: string;
  readonly gitFolder: string;
  /** Another one where this is a further work tree of a repository. */
  readonly commonFolder: string;
}

/** Undefined where the directory is in no work tree, or in a part of one that is ignored as a whole. */
export async function findUserRepository(
  directory: string,
  signal?: AbortSignal,
): Promise<UserRepository | undefined> {
  const args = [
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--show-prefix",
    "--git-dir",
    "--git-common-dir",
  ];
  const paths = ["objects", "index", "info/exclude"].flatMap((name) => ["--git-path", name]);
  try {
    const { stdout } = await askGit(directory, [...args, ...paths], signal);
    const lines = stdout.toString(BYTES).split("\n");
    // A name with a line break in it cannot be told from two names.
    if (lines.length !== 8) return undefined;
    const [root = "", prefix = "", ...files] = lines;
    const [gitFolder, commonFolder, objects, indexFile, excludeFile] = files.map(toText) as [
      string,
      string,
      string,
      string,
      string,
    ];
    if (prefix !== "" && (await isIgnored(directory, signal))) return undefined;
    return {
      root: toText(root),
      prefix,
      objects,
      indexFile,
      excludeFile,
      gitFolder,
      commonFolder,
    };
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw error;
    return undefined;
  }
}

/** Such a directory is no part of the project around it: by its rules nothing in it would ever be covered. */
async function isIgnored(directory: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await askGit(directory, ["check-ignore", "-q", "--no-index", "."], signal);
    return true;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

/** A path in a setting, and the file that has the setting. */
export interface ConfigPath {
  readonly origin: string;
  readonly path: string;
}

const CONFIG_PATHS = "^(core\\.excludesfile|include\\.path|includeif\\..*\\.path)$";

/**
 * The file with the person's ignore rules, where one is set, and all files that settings may be included from, also if
 * they are not there. These are undefined where git cannot list them.
 */
export async function readConfigPaths(
  directory: string,
  signal?: AbortSignal,
): Promise<{ excludesFile: string | undefined; includes: readonly ConfigPath[] | undefined }> {
  const args = ["config", "-z", "--show-origin", "--type=path", "--get-regexp", CONFIG_PATHS];
  try {
    const fields = (await askGit(directory, args, signal)).stdout.toString().split("\0").slice(0, -1);
    let excludesFile: string | undefined;
    const includes: ConfigPath[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [name = "", ...lines] = fields[at + 1]!.split("\n");
      const path = lines.join("\n");
      // The last one counts.
      if (name === "core.excludesfile") excludesFile = path || undefined;
      else includes.push({ origin: fields[at]!.replace(/^\w+:/, ""), path });
    }
    return { excludesFile, includes };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof GitError && error.code === 1) return { excludesFile: undefined, includes: [] };
    const excludesFile = await readSetting(directory, ["--type=path", "core.excludesFile"], signal);
    return { excludesFile, includes: undefined };
  }
}

/** As latin1; empty where there is no such file. */
export async function readRules(path: string): Promise<string> {
  const text = await readFile(path, BYTES).catch(() => "");
  return text.endsWith("\n") || text === "" ? text : `${text}\n`;
}

/** With its `--get`, undefined where it is not set. */
export async function readSetting(
  directory: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const { stdout } = await askGit(directory, ["config", "--get", ...args], signal);
    return stdout.toString().replace(/\n$/, "") || undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** Files that the person's repository has although a rule ignores them; relative to its root, as latin1. */
export class TrackedIgnoredFiles {
  readonly #known = new Map<
    string,
    { readonly state: string | undefined; readonly paths: readonly string[] }
  >();

  /** Asks again only when the person's index has changed. */
  async list(repository: UserRepository, signal?: AbortSignal): Promise<readonly string[]> {
    const key = `${repository.indexFile}\0${repository.prefix}`;
    const state = await findState(repository.indexFile);
    const known = this.#known.get(key);
    if (known && known.state === state) return known.paths;
    const { prefix } = repository;
    const args = ["ls-files", "-z", "-c", "-i", "--exclude-standard"];
    const answer = await askGit(repository.root, args, signal).catch((error) => {
      // An index that git cannot read has no files for us.
      if (error instanceof GitError) return undefined;
      throw error;
    });
    const paths = answer ? zeroSeparated(answer.stdout).filter((path) => path.startsWith(prefix)) : [];
    this.#known.set(key, { state, paths });
    return paths;
  }
}

function toText(path: string): string {
  return Buffer.from(path, BYTES).toString();
}
