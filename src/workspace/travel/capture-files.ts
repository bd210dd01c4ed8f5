/** Captures the files of a clone as a commit that is in no history, and packs what other clones surely lack of it. */
import type { CapturedFiles, FilesCapture } from "../../core/git-files.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { Clone, type CloneOptions, type Scratch } from "./clone.ts";

/** Names of commits and bases. A history of more does not fit anyway. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Commits that another clone must have. There is one for each place where work left what was pushed. */
const MAX_BASES = 1000;

const IDENTITY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Interlingua"],
    [`GIT_${role}_EMAIL`, "interlingua@localhost"],
  ]),
);

export interface CaptureOptions extends CloneOptions {
  readonly maxBytes: number;
  readonly former?: CapturedFiles;
}

/** Rejects with a sentence where the files have to stay. */
export async function captureFiles(
  directory: string,
  { maxBytes, former, ...options }: CaptureOptions,
): Promise<FilesCapture> {
  const clone = await Clone.open(directory, options);
  if (!clone)
    throw new WorkspaceError(`${directory} is in no git repository, or ignored by the one around it`);
  const head = await clone.head();
  if (head === undefined) throw new WorkspaceError(`the repository of ${directory} has no commit yet`);
  const branch = await clone.branch();
  await using scratch = await clone.scratch();
  const tree = await clone.filesTree(scratch);
  const isSame = former?.tree === tree && former.head === head && former.branch === branch;
  if (isSame) return { files: former };
  const commit = await clone.line(["commit-tree", tree, "-p", head, "-m", "Files of a session"], {
    environment: { ...scratch.environment, ...IDENTITY },
  });
  const bases = await findBases(clone, commit, scratch, maxBytes);
  const pack = await packFrom(clone, [commit, ...bases.map((base) => `^${base}`)], scratch, maxBytes);
  return { files: { head, ...(branch !== undefined && { branch }), tree, commit, bases }, pack };
}

/** Where its history meets that of remote branches, which every clone can fetch. */
async function findBases(
  clone: Clone,
  commit: string,
  { environment }: Scratch,
  maxBytes: number,
): Promise<string[]> {
  const { stdout, isCut } = await clone.run(["rev-list", "--boundary", commit, "--not", "--remotes"], {
    environment,
    maxOutputBytes: MAX_LIST_BYTES,
  });
  if (isCut) throw tooLarge(maxBytes);
  const bases = stdout
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("-"))
    .map((line) => line.slice(1));
  if (bases.length > MAX_BASES) throw new WorkspaceError("its history meets that of its remotes too often");
  return bases;
}

async function packFrom(
  clone: Clone,
  revisions: readonly string[],
  { environment }: Scratch,
  maxBytes: number,
): Promise<Uint8Array> {
  const args = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "--threads=1", "-q"];
  const input = `${revisions.join("\n")}\n`;
  const { stdout, isCut } = await clone.run(args, { environment, input, maxOutputBytes: maxBytes });
  if (isCut) throw tooLarge(maxBytes);
  return stdout;
}

function tooLarge(maxBytes: number): WorkspaceError {
  return new WorkspaceError(
    `what other clones lack has more than ${Math.round(maxBytes / 1024 / 1024)} MB. Push what is committed, or let git ignore what is large`,
  );
}
