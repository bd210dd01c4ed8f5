/**
 * Makes the files of a clone those that were captured in another one. First it is made sure that nothing is lost: the files
 * here are those of a commit, or such as the session has captured. Then files, index and HEAD follow in this order, so that
 * one that is cut off between them is finished by the next.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InterlinguaError } from "../../core/error.ts";
import type { CapturedFiles, LayDown } from "../../core/git-files.ts";
import { GitError, NO_OBJECT, zeroSeparated } from "../git.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { Clone, type CloneOptions, type Scratch } from "./clone.ts";
import { findInTheWay } from "./find-in-the-way.ts";

/** What git keeps of something that is not finished. */
const UNFINISHED = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
  "BISECT_LOG",
];

/** How long a fetch may take. */
const FETCH_MS = 60_000;

/** Gives a sentence of what was done; undefined where all was so already. */
export async function layDownFiles(
  directory: string,
  wanted: LayDown,
  options: CloneOptions,
): Promise<string | undefined> {
  try {
    return await layDown(directory, wanted, options);
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof WorkspaceError)) throw error;
    throw failed(`The files of this session could not be laid down in ${directory}: ${error.message}`);
  }
}

async function layDown(
  directory: string,
  { files, earlier, pack }: LayDown,
  options: CloneOptions,
): Promise<string | undefined> {
  const clone = await Clone.open(directory, options);
  if (!clone)
    throw failed(
      `The files of this session travel by git, and ${directory} is in no repository here. Clone it there, then prompt again.`,
    );
  const { root } = clone.repository;
  await using scratch = await clone.scratch();
  const present = await clone.filesTree(scratch);
  const [head, branch] = [await clone.head(), await clone.branch()];
  const isThere = head === files.head && (files.branch === undefined || files.branch === branch);
  if (present === files.tree && isThere) return undefined;
  await assertNothingIsLost(clone, { present, head, known: [files.tree, ...earlier], files });
  await fetchBases(clone, files);
  const input = Buffer.from(await pack());
  options.signal?.throwIfAborted();
  // What is cut off from here on would leave a mixture.
  const changed = clone.withoutSignal();
  await changed.run(["index-pack", "--stdin", "--fix-thin"], { input });
  await writeFiles(changed, scratch, present, files.tree);
  await changed.run(["read-tree", "--reset", files.head]);
  await changed.run(["update-index", "-q", "--refresh"], { allowedCodes: [1] });
  const place = isThere ? undefined : await moveHead(changed, files, branch);
  const from = head === undefined || head === files.head ? "" : `, which was at ${head.slice(0, 12)}`;
  const told = place === undefined ? "" : ` ${place}${from}.`;
  return `The files of this session were laid down in ${root} as another node had them.${told}`;
}

interface Present {
  readonly present: string;
  readonly head: string | undefined;
  readonly known: readonly string[];
  readonly files: CapturedFiles;
}

async function assertNothingIsLost(clone: Clone, { present, head, known, files }: Present): Promise<void> {
  const { root, gitFolder } = clone.repository;
  const unfinished = UNFINISHED.find((name) => existsSync(join(gitFolder, name)));
  if (unfinished !== undefined)
    throw failed(`Something is not finished in ${root} (${unfinished}). Finish it there, then prompt again.`);
  const refuse = (what: string) =>
    failed(
      `The files of this session cannot be laid down in ${root}: ${what} Commit or stash it there, then prompt again.`,
    );
  const ownTree = head === undefined ? undefined : await clone.line(["rev-parse", `${head}^{tree}`]);
  if (present !== ownTree && !known.includes(present))
    throw refuse("something has been changed there that is in no commit.");
  if (await hasStagedAlone(clone, head, files)) throw refuse("something is staged there that no file has.");
}

/** Whether the index has what is neither in a commit nor in a file. */
async function hasStagedAlone(
  clone: Clone,
  head: string | undefined,
  files: CapturedFiles,
): Promise<boolean> {
  if (head === undefined) return false;
  const paths = async (args: readonly string[]) =>
    new Set(zeroSeparated((await clone.run([...args, "--name-only", "--no-ext-diff", "-z"])).stdout));
  const unstaged = await paths(["diff-files", "--ignore-submodules"]);
  const differs = async (commit: string) => {
    const staged = await paths(["diff-index", "--cached", "--ignore-submodules", commit]);
    return [...staged].some((path) => unstaged.has(path));
  };
  if (unstaged.size === 0 || !(await differs(head))) return false;
  // As one leaves it that was cut off before HEAD moved.
  const isKnown = await clone.holds(["cat-file", "-e", `${files.head}^{commit}`]);
  return !isKnown || differs(files.head);
}

/** What the other clone took for granted is fetched where it is missing: nothing else here uses a network. */
async function fetchBases(clone: Clone, { bases }: CapturedFiles): Promise<void> {
  const missing = () => findMissing(clone, bases);
  if ((await missing()) === undefined) return;
  const remotes = (await clone.line(["remote"])).split("\n").filter(Boolean);
  let problem = "it has no remote";
  for (const remote of remotes) {
    const args = [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-recurse-submodules",
      "--no-write-fetch-head",
      remote,
    ];
    await clone.run(args, { signal: AbortSignal.timeout(FETCH_MS) }).catch((error: Error) => {
      problem = error.message;
    });
    if ((await missing()) === undefined) return;
    problem = problem === "it has no remote" ? `${remote} does not have it` : problem;
  }
  const { root } = clone.repository;
  throw failed(
    `The clone in ${root} lacks commit ${await missing()}, which the files of this session build on: ${problem.replace(/\.$/, "")}. Bring it there, then prompt again.`,
  );
}

async function findMissing(clone: Clone, commits: readonly string[]): Promise<string | undefined> {
  if (commits.length === 0) return undefined;
  const input = commits.map((commit) => `${commit}^{commit}\n`).join("");
  const { stdout } = await clone.run(["cat-file", "--batch-check=%(objecttype)"], { input });
  const at = stdout
    .toString()
    .split("\n")
    .slice(0, commits.length)
    .findIndex((line) => line !== "commit");
  return commits[at];
}

/** The scratch index has the files that are there. Git writes only what differs, and through no link. */
async function writeFiles(clone: Clone, scratch: Scratch, present: string, tree: string): Promise<void> {
  if (present === tree) return;
  const { root } = clone.repository;
  const diff = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", present, tree];
  const found = await findInTheWay(root, zeroSeparated((await clone.run(diff, scratch)).stdout));
  if (found !== undefined)
    throw failed(
      `The files of this session cannot be laid down in ${root}: ${found} is there, which git ignores here. Move it away, then prompt again.`,
    );
  await clone.run(["read-tree", "-m", "-u", present, tree], scratch);
}

/** Gives what was done, as the beginning of a sentence. */
async function moveHead(clone: Clone, files: CapturedFiles, current: string | undefined): Promise<string> {
  const { head, branch } = files;
  const reason =
    branch === undefined ? "there was no branch there" : await findObstacle(clone, files, current);
  const log = ["-m", "interlingua: files of a session"];
  if (reason !== undefined) {
    await clone.run(["update-ref", "--no-deref", ...log, "HEAD", head]);
    return `HEAD is detached at ${head.slice(0, 12)} now (${reason})`;
  }
  const ref = `refs/heads/${branch}`;
  const old = (await clone.find(["rev-parse", "--verify", "--quiet", ref])) ?? NO_OBJECT;
  if (old !== head) await clone.run(["update-ref", ...log, ref, head, old]);
  if (current !== branch) await clone.run(["symbolic-ref", ...log, "HEAD", ref]);
  return `The branch ${branch} is at ${head.slice(0, 12)} now`;
}

/** Why the branch cannot simply go on to the commit. */
async function findObstacle(
  clone: Clone,
  { head, branch }: CapturedFiles,
  current: string | undefined,
): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  if (!(await clone.holds(["check-ref-format", ref]))) return `${branch} is no name of a branch`;
  const old = await clone.find(["rev-parse", "--verify", "--quiet", ref]);
  if (old === undefined) return undefined;
  const elsewhere = await clone.find(["for-each-ref", "--format=%(worktreepath)", ref]);
  if (branch !== current && elsewhere !== undefined) return `${branch} is checked out in ${elsewhere}`;
  const isBehind = await clone.holds(["merge-base", "--is-ancestor", old, head]);
  return isBehind ? undefined : `${branch} has other commits here`;
}

function failed(detail: string): InterlinguaError {
  return new InterlinguaError("workspace_failed", detail);
}
