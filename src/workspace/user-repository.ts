/** What is asked of the person's own repository. Nothing is written into it. */
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../core/is-inside.ts";
import { lookAt } from "../files/regular-file.ts";
import { isHarmlessFile } from "./blocking-files.ts";
import { findState } from "./file-state.ts";
import { type AskOptions, askGit, BYTES, GitError, zeroSeparated } from "./git.ts";
import { WorkspaceError } from "./workspace-error.ts";

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
  readonly excludesFile: ExcludesFile;
  /** For git that uses ignore rules here: it does not open an `excludesFile` that it would wait for. */
  readonly settings: readonly string[];
}

/** The file that `core.excludesFile` names, or the default of git. It need not be there. */
export interface ExcludesFile {
  readonly path: string;
  /** Whether the user has named it, in a config that is not the repository's: only then may it be a link. */
  readonly isPersonal: boolean;
  /** Why it is not read; undefined if it may be. */
  readonly obstacle: string | undefined;
}

export interface FindRepositoryOptions extends Pick<AskOptions, "signal" | "cwd"> {
  /** The excludes file where it is known already. */
  readonly named?: NamedExcludes;
}

/** There is a repository, or something like it, and git cannot use it. */
export class UnusableRepositoryError extends WorkspaceError {
  constructor(directory: string, { stderr }: GitError) {
    super(
      `git cannot use the repository of ${directory}: ${stderr.trim().split("\n").at(-1)?.slice(0, 500)}`,
    );
  }
}

const NO_WORK_TREE = /^fatal: (not a git repository \(or any |this operation must be run in a work tree)/m;

/**
 * Undefined where the directory is in no work tree, or in a part of one that is ignored as a whole. Rejects with an
 * `UnusableRepositoryError` when git fails for another reason.
 */
export async function findUserRepository(
  directory: string,
  { named, ...options }: FindRepositoryOptions = {},
): Promise<UserRepository | undefined> {
  const args = [
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--show-prefix",
    "--git-dir",
    "--git-common-dir",
  ];
  args.push("--git-path", "objects");
  try {
    const { stdout } = await askGit(directory, args, options);
    const lines = stdout.toString(BYTES).split("\n");
    // A name with a line break in it cannot be told from two names.
    if (lines.length !== 6) return undefined;
    const [root = "", prefix = "", ...files] = lines;
    const [gitFolder, commonFolder, objects] = files.map(toText) as [string, string, string];
    const excludesFile = await findExcludesFile(
      named ?? (await readConfigPaths(directory, options)).excludesFile,
      [toText(root), gitFolder, commonFolder],
    );
    const isHarmless = await isHarmlessFile(excludesFile.path);
    const settings = isHarmless ? [] : ["core.excludesFile=/dev/null"];
    if (prefix !== "" && (await isIgnored(directory, { ...options, settings }))) return undefined;
    return {
      root: toText(root),
      prefix,
      objects,
      // Git itself would name what a link in their place leads to.
      indexFile: join(gitFolder, "index"),
      excludeFile: join(commonFolder, "info", "exclude"),
      gitFolder,
      commonFolder,
      excludesFile,
      settings,
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (NO_WORK_TREE.test(error.stderr)) return undefined;
    throw new UnusableRepositoryError(directory, error);
  }
}

/** A file outside of the repository is not the repository's to name: its text would become part of checkpoints. */
async function findExcludesFile(
  named: NamedExcludes | undefined,
  [root, ...folders]: readonly [string, ...string[]],
): Promise<ExcludesFile> {
  if (!named) return { path: join(configFolder(), "ignore"), isPersonal: true, obstacle: undefined };
  // Git works from the top level.
  const path = resolve(root, named.path);
  const isPersonal = named.isPersonal && isAbsolute(named.path);
  const folder = await findReal(dirname(path));
  // The config that names a work tree could name the whole disk.
  const own = named.isTreeNamed ? folders : [root, ...folders];
  const isOutside = folder !== undefined && !own.some((each) => isInside(folder, each));
  const obstacle =
    !isPersonal && isOutside
      ? "the repository's own config names it as core.excludesFile, and it is outside of the repository."
      : undefined;
  return { path, isPersonal, obstacle };
}

/** Undefined where there is nothing. */
function findReal(path: string): Promise<string | undefined> {
  return lookAt(path, () => realpath(path).catch(() => undefined));
}

export function configFolder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "git");
}

/** Such a directory is no part of the project around it: by its rules nothing in it would ever be covered. */
async function isIgnored(directory: string, options: AskOptions): Promise<boolean> {
  try {
    await askGit(directory, ["check-ignore", "-q", "--no-index", "."], options);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === 1) return false;
    throw error;
  }
}

/** A path in a setting, and the file that has the setting. */
export interface ConfigPath {
  readonly origin: string;
  readonly path: string;
}

/** The value of `core.excludesFile`. */
export interface NamedExcludes {
  readonly path: string;
  /** Whether it stands in the config of the user or the system. */
  readonly isPersonal: boolean;
  /** Whether a config names the work tree, too. */
  readonly isTreeNamed: boolean;
}

const CONFIG_PATHS = "^(core\\.(excludesfile|worktree)|include\\.path|includeif\\..*\\.path)$";

/** Files that include each other can make a config as long as they like. */
const MAX_CONFIG_BYTES = 2 ** 20;

/**
 * The file with the person's ignore rules, where one is set, and all files that settings may be included from, also if
 * they are not there. These are undefined where git cannot list them.
 */
export async function readConfigPaths(
  directory: string,
  options: Pick<AskOptions, "signal" | "cwd"> = {},
): Promise<{ excludesFile: NamedExcludes | undefined; includes: readonly ConfigPath[] | undefined }> {
  const shown = ["--show-scope", "--show-origin", "--type=path"];
  const args = ["config", "-z", ...shown, "--get-regexp", CONFIG_PATHS];
  try {
    const { stdout, isCut } = await askGit(directory, args, {
      ...options,
      maxOutputBytes: MAX_CONFIG_BYTES,
    });
    if (isCut) throw new WorkspaceError(`The config of git in ${directory} includes too many files.`);
    const fields = stdout.toString().split("\0").slice(0, -1);
    let excludesFile: Omit<NamedExcludes, "isTreeNamed"> | undefined;
    let isTreeNamed = false;
    const includes: ConfigPath[] = [];
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [name = "", ...lines] = fields[at + 2]!.split("\n");
      const path = lines.join("\n");
      const isPersonal = fields[at] === "global" || fields[at] === "system";
      // The last one counts.
      if (name === "core.excludesfile") excludesFile = path === "" ? undefined : { path, isPersonal };
      else if (name === "core.worktree") isTreeNamed = true;
      else includes.push({ origin: fields[at + 1]!.replace(/^\w+:/, ""), path });
    }
    return { excludesFile: excludesFile && { ...excludesFile, isTreeNamed }, includes };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.code === 1) return { excludesFile: undefined, includes: [] };
    const path = await readSetting(directory, ["--type=path", "core.excludesFile"], options);
    return {
      excludesFile: path === undefined ? undefined : { path, isPersonal: false, isTreeNamed: true },
      includes: undefined,
    };
  }
}

/** With its `--get`, undefined where it is not set. */
export async function readSetting(
  directory: string,
  args: readonly string[],
  options: Pick<AskOptions, "signal" | "cwd"> = {},
): Promise<string | undefined> {
  try {
    const { stdout } = await askGit(directory, ["config", "--get", ...args], options);
    return stdout.toString().replace(/\n$/, "") || undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
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
    const { prefix, settings } = repository;
    const args = ["ls-files", "-z", "-c", "-i", "--exclude-standard"];
    const answer = await askGit(repository.root, args, { settings, signal }).catch((error) => {
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
