/** A clone of a person whose files travel, and what is asked of it. Objects that are made to ask are kept outside of it. */
import { mkdir, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { copyRegularFile } from "../../files/regular-file.ts";
import { BYTES, cloneGit, GitError, type GitOutput, type GitRun } from "../git.ts";
import { findUserRepository, type UserRepository } from "../user-repository.ts";

/** A copy of the index, and a place for objects: gone when disposed of. */
export interface Scratch extends AsyncDisposable {
  readonly index: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface CloneOptions {
  /** The folder where scratches are made. */
  readonly temporary: string;
  /** Ends what git does for it. */
  readonly signal?: AbortSignal;
}

export class Clone {
  readonly repository: UserRepository;
  readonly #options: CloneOptions;

  constructor(repository: UserRepository, options: CloneOptions) {
    this.repository = repository;
    this.#options = options;
  }

  /** Undefined where the directory is in no repository. */
  static async open(directory: string, options: CloneOptions): Promise<Clone | undefined> {
    const repository = await findUserRepository(directory, { signal: options.signal });
    return repository && new Clone(repository, options);
  }

  /** For what is not left half done. */
  withoutSignal(): Clone {
    return new Clone(this.repository, { temporary: this.#options.temporary });
  }

  /** A signal of its own ends this one, too. */
  run(args: readonly string[], options: Omit<GitRun, "settings" | "isBackground"> = {}): Promise<GitOutput> {
    const signals = [this.#options.signal, options.signal].filter((signal) => signal !== undefined);
    const { root, settings } = this.repository;
    return cloneGit(root, args, { ...options, settings, signal: AbortSignal.any(signals) });
  }

  async line(args: readonly string[], options: Omit<GitRun, "settings" | "isBackground"> = {}) {
    return (await this.run(args, options)).stdout.toString(BYTES).trim();
  }

  /** Undefined where git says no. */
  async find(args: readonly string[]): Promise<string | undefined> {
    try {
      return (await this.line(args)) || undefined;
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  /** Whether git says yes. */
  async holds(args: readonly string[]): Promise<boolean> {
    const { code } = await this.run(args, { allowedCodes: [1, 128] });
    return code === 0;
  }

  head(): Promise<string | undefined> {
    return this.find(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  }

  /** The branch that is checked out. One that looks like an option is none for git's own commands, and none here. */
  async branch(): Promise<string | undefined> {
    const name = await this.find(["symbolic-ref", "--quiet", "HEAD"]);
    const branch = name?.startsWith(BRANCHES) ? name.slice(BRANCHES.length) : undefined;
    return branch?.startsWith("-") ? undefined : branch;
  }

  async scratch(): Promise<Scratch> {
    const { temporary } = this.#options;
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    const directory = await mkdtemp(join(temporary, "git-files-"));
    const dispose = () => rm(directory, { recursive: true, force: true });
    try {
      const [index, objects] = [join(directory, "index"), join(directory, "objects")];
      await mkdir(objects);
      await copyIndex(this.repository.indexFile, index).catch((error: NodeJS.ErrnoException) => {
        // A clone without a commit has none.
        if (error.code !== "ENOENT") throw error;
      });
      const environment = {
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: this.repository.objects,
      };
      return { index, environment, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  /** The tree of all files that are tracked, or neither tracked nor ignored. The scratch index has it then. */
  async filesTree(scratch: Scratch): Promise<string> {
    await this.run(["add", "--all"], scratch);
    return this.line(["write-tree"], scratch);
  }
}

/** An index of a million files has about 100 MB. */
const MAX_INDEX_BYTES = 512 * 2 ** 20;

/** Git reads files again that changed when the index did: so the copy is no younger. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyRegularFile(from, to, { maxBytes: MAX_INDEX_BYTES });
  const second = Math.floor(mtimeMs / 1000);
  await utimes(to, second, second);
}

const BRANCHES = "refs/heads/";
