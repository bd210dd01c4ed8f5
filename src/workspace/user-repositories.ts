/**
 * Remembers what git says of a person's repository, as long as the files that decide it are as they were: where the
 * repository is, and which file has the person's own ignore rules. What is in that file is read every time.
 */
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readStates } from "./file-state.ts";
import {
  type ConfigPath,
  configFolder,
  findUserRepository,
  readConfigPaths,
  type UserRepository,
} from "./user-repository.ts";

interface KnownAnswer {
  /** Undefined where the directory is in no work tree. */
  readonly repository: UserRepository | undefined;
  readonly watched: readonly string[];
  readonly states: string;
}

/** Where git is usually told to look for what holds for all users. */
const SYSTEM_CONFIGS = ["/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"];

/** What makes a directory a repository, and what its settings depend on. */
const REPOSITORY_FILES = ["", "HEAD", "config", "config.worktree", "commondir", "objects", "refs"];

export class UserRepositories {
  readonly #known = new Map<string, KnownAnswer>();

  /** Undefined where the directory is in no work tree. */
  async find(directory: string, signal?: AbortSignal): Promise<UserRepository | undefined> {
    const key = [directory, process.env.HOME, process.env.XDG_CONFIG_HOME].join("\0");
    const known = this.#known.get(key);
    if (known && (await readStates(known.watched)).states.join("\n") === known.states)
      return known.repository;
    this.#known.delete(key);
    const at = Date.now();
    const { excludesFile, includes } = await readConfigPaths(directory, { signal });
    const repository = await findUserRepository(directory, { signal, named: excludesFile });
    const watched = listDeciding(directory, repository, includes);
    if (!watched) return repository;
    const { states, areSettled } = await readStates(watched, at);
    // What git does not take for a repository may become one.
    const isBroken = !repository && watched.some((path, place) => path.endsWith("/.git") && states[place]);
    if (areSettled && !isBroken) this.#known.set(key, { repository, watched, states: states.join("\n") });
    return repository;
  }
}

/** The files that decide what git says; undefined if they are not all known. */
function listDeciding(
  directory: string,
  repository: UserRepository | undefined,
  includes: readonly ConfigPath[] | undefined,
): string[] | undefined {
  if (!includes) return undefined;
  const top = repository?.root ?? "/";
  const candidates: string[] = [];
  for (let folder = directory; ; folder = dirname(folder)) {
    // A directory with a HEAD may be a repository without a work tree.
    candidates.push(join(folder, ".git"), join(folder, "HEAD"));
    // Rules above may ignore the directory as a whole.
    if (folder !== directory) candidates.push(join(folder, ".gitignore"));
    if (folder === top || folder === dirname(folder)) break;
  }
  const folders = repository ? [repository.gitFolder, repository.commonFolder] : [];
  return [
    ...candidates,
    ...(repository ? [repository.excludeFile, repository.excludesFile.path] : []),
    ...folders.flatMap((folder) => REPOSITORY_FILES.map((name) => join(folder, name))),
    join(homedir(), ".gitconfig"),
    join(configFolder(), "config"),
    ...SYSTEM_CONFIGS,
    ...includes.map(({ origin, path }) =>
      isAbsolute(path) ? path : resolve(repository?.root ?? directory, dirname(origin), path),
    ),
  ];
}
