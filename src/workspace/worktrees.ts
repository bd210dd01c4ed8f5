/** Worktrees of the person's repositories: made when somebody asks for one, each for one session. */
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { InterlinguaError } from "../core/error.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Worktree, WorktreeRequest, Worktrees } from "../core/worktree.ts";
import { lookAt } from "../files/regular-file.ts";
import { fillWorktree } from "./fill-worktree.ts";
import { askGit, BYTES, changeGit, GitError } from "./git.ts";
import { findGit } from "./git-version.ts";
import { findUserRepository, type UserRepository } from "./user-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface WorktreesOptions {
  /** Where they are made: a folder of the data directory. */
  readonly directory: string;
  /** Where checkpoints of a directory are kept. */
  workspacesOf(directory: string): string;
  /** Tells whether a worktree changed. Without it none is removed. */
  readonly workspace?: Workspace;
}

/** What is known of a worktree while its session is there, as a file beside it. */
interface WorktreeRecord {
  /** The worktree it was made from. */
  readonly repository: string;
  readonly root: string;
  readonly branch: string;
  readonly commit: string;
  /** Its files are all there: from now on somebody may work in it. */
  readonly isComplete?: boolean;
  /** A checkpoint of the whole, right after it was made. */
  readonly first?: string;
}

export function openWorktrees(options: WorktreesOptions): Worktrees {
  return new GitWorktrees(options);
}

class GitWorktrees implements Worktrees {
  readonly #directory: string;
  readonly #workspacesOf: (directory: string) => string;
  readonly #workspace: Workspace | undefined;

  constructor({ directory, workspacesOf, workspace }: WorktreesOptions) {
    this.#directory = resolve(directory);
    this.#workspacesOf = workspacesOf;
    this.#workspace = workspace;
  }

  async add({ session, directory, checkpoint }: WorktreeRequest): Promise<Worktree> {
    const { repository, commit } = await requireRepository(directory);
    const place = await this.#makePlace(session);
    const root = join(place, basename(repository.root) || "worktree");
    const branch = `interlingua/${session}`;
    const record: WorktreeRecord = { repository: repository.root, root, branch, commit };
    try {
      // Before anything of git: what is found without a session is half made.
      await this.#write(session, record);
      await changeGit(repository.root, [
        ...["worktree", "add", "--quiet", "--no-checkout"],
        ...["-b", branch, root, commit],
      ]);
      const { prefix } = repository;
      const source = await lookAt(directory, () => realpath(directory));
      const filled = await fillWorktree({
        root,
        prefix: Buffer.from(prefix, BYTES).toString(),
        source,
        workspaces: this.#workspacesOf(source),
        checkpoint,
      });
      const first = await this.#workspace
        ?.capture({ session, directory: root })
        .then(({ id }) => id)
        .catch(() => undefined);
      await this.#write(session, { ...record, isComplete: true, first });
      return { ...filled, branch, commit };
    } catch (error) {
      await this.discard(session);
      await rm(place, { recursive: true, force: true });
      if (!(error instanceof GitError) && !(error instanceof WorkspaceError)) throw error;
      throw impossible(`Git could not make one: ${error.message}`, error);
    }
  }

  async release(session: string, { isShared }: { isShared: boolean }): Promise<"removed" | "kept" | "none"> {
    const record = await this.#read(session);
    if (!record) return "none";
    const isUnchanged = !isShared && (await this.#isUnchanged(session, record).catch(() => false));
    if (isUnchanged) await this.discard(session);
    // Without its record nobody takes it for half made.
    else await rm(this.#file(session), { force: true });
    return isUnchanged ? "removed" : "kept";
  }

  async discard(session: string): Promise<void> {
    const record = await this.#read(session);
    if (!record) return;
    const { repository, root, branch, commit } = record;
    const attempt = (args: readonly string[]) => changeGit(repository, args).catch(() => {});
    // Also one that is locked, as by an `add` that was killed. Never `prune`: it forgets worktrees of the person that are
    // only not there right now, as on a disk that is not mounted.
    await attempt(["worktree", "remove", "--force", "--force", root]);
    await rm(join(this.#directory, session), { recursive: true, force: true });
    // Only where it still is what it was made at.
    await attempt(["update-ref", "-d", `refs/heads/${branch}`, commit]);
    await rm(this.#file(session), { force: true });
  }

  async discardUnless(isKnown: (session: string) => Promise<boolean>): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    for (const name of names) {
      if (!name.endsWith(RECORD)) continue;
      const session = name.slice(0, -RECORD.length);
      // One that cannot be removed is left for the next time.
      if (!(await isKnown(session))) await this.#discardUnknown(session).catch(() => {});
    }
  }

  async #discardUnknown(session: string): Promise<void> {
    // A session may be unknown because an older copy of the log is used: what was done in its worktree stays.
    if ((await this.#read(session))?.isComplete) await this.release(session, { isShared: false });
    else await this.discard(session);
  }

  async #isUnchanged(session: string, { root, branch, commit, first }: WorktreeRecord): Promise<boolean> {
    if (first === undefined || !this.#workspace) return false;
    const head = await askGit(root, ["rev-parse", "--symbolic-full-name", "HEAD"]);
    const at = await askGit(root, ["rev-parse", "HEAD"]);
    if (head.stdout.toString().trim() !== `refs/heads/${branch}`) return false;
    if (at.stdout.toString().trim() !== commit) return false;
    // Whatever is in no checkpoint would be gone for good.
    const ignored = await askGit(root, ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"]);
    if (ignored.stdout.length > 0) return false;
    const { id: now, uncovered } = await this.#workspace.capture({ session, directory: root });
    if (uncovered.length > 0) return false;
    const pairs = [{ from: first, to: now }];
    const [changed] = await this.#workspace.findChangedPaths({ directory: root, pairs });
    return changed?.length === 0;
  }

  async #makePlace(session: string): Promise<string> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const place = join(await realpath(this.#directory), session);
    await mkdir(place);
    return place;
  }

  async #write(session: string, record: WorktreeRecord): Promise<void> {
    const file = this.#file(session);
    await writeFile(`${file}.tmp`, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
    await rename(`${file}.tmp`, file);
  }

  /** Undefined if there is none that can be read: then nothing is removed. */
  async #read(session: string): Promise<WorktreeRecord | undefined> {
    try {
      return JSON.parse(await readFile(this.#file(session), "utf8")) as WorktreeRecord;
    } catch {
      return undefined;
    }
  }

  #file(session: string): string {
    return join(this.#directory, `${session}${RECORD}`);
  }
}

const RECORD = ".json";

async function requireRepository(directory: string): Promise<{ repository: UserRepository; commit: string }> {
  const git = await findGit();
  if (!git.isUsable) throw impossible(git.reason);
  const repository = await findUserRepository(directory).catch((error: unknown) => {
    throw error instanceof WorkspaceError ? impossible(error.message, error) : error;
  });
  if (!repository)
    throw impossible(`${directory} is not in a git repository. Fork without a worktree, or name a \`cwd\`.`);
  try {
    const { stdout } = await askGit(repository.root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    return { repository, commit: stdout.toString().trim() };
  } catch (error) {
    throw impossible(`The repository ${repository.root} has no commit yet. Make one first.`, error);
  }
}

function impossible(detail: string, cause?: unknown): InterlinguaError {
  return new InterlinguaError("worktree_impossible", detail, { cause });
}
