/** A clone of a person whose files travel, and what is asked of it. Objects that are made to ask are kept outside of it. */
import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BYTES, cloneGit, GitError, type GitOutput, type GitRun } from "../git.ts";
import { findUserRepository, type UserRepository } from "../user-repository.ts";

/** A copy of the index, and a place for objects: gone when disposed of. */
export interface Scratch extends AsyncDisposable {
  readonly index: string;
  readonly environment: Readonly<Record<string, string>>;
}

export class Clone {
  readonly repository: UserRepository;
  readonly #signal: AbortSignal | undefined;

  constructor(repository: UserRepository, signal?: AbortSignal) {
    this.repository = repository;
    this.#signal = signal;
  }

  /** Undefined where the directory is in no repository. */
  static async open(directory: string, signal?: AbortSignal): Promise<Clone | undefined> {
    const repository = await findUserRepository(directory, signal);
    return repository && new Clone(repository, signal);
  }

  run(args: readonly string[], options: Omit<GitRun, "settings" | "isBackground"> = {}): Promise<GitOutput> {
    const { root } = this.repository;
    return cloneGit(root, args, { ...(this.#signal && { signal: this.#signal }), ...options });
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

  /** The commit that is checked out. */
  head(): Promise<string | undefined> {
    return this.find(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  }

  /** The branch that is checked out. */
  async branch(): Promise<string | undefined> {
    const name = await this.find(["symbolic-ref", "--quiet", "HEAD"]);
    return name?.startsWith(BRANCHES) ? name.slice(BRANCHES.length) : undefined;
  }

  async scratch(): Promise<Scratch> {
    const directory = await mkdtemp(join(tmpdir(), "interlingua-files-"));
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

/** Git reads files again that changed when the index did: so the copy is no younger. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const second = Math.floor(mtimeMs / 1000);
  await utimes(to, second, second);
}

const BRANCHES = "refs/heads/";
