/**
 * Carries out the plan of a restore. First everything that is to come is read, checked and written beside; then files are
 * deleted and put into place, each only where it is what the plan says. Done again after a crash it finds what is done
 * already and finishes the rest.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import type { FileVersion, PlannedChange, RestorePlan, RestoreResult } from "../../core/workspace.ts";
import type { Git } from "../git.ts";
import { oneByOne } from "../in-slices.ts";
import { pathBytes } from "../inspect-file.ts";
import { confirmLock } from "../lock-context.ts";
import { ObjectReader } from "../object-reader.ts";
import { parentOf, siblingOf } from "../path-parts.ts";
import { pathOfText, textOfPath } from "../path-text.ts";
import { WorkspaceError } from "../workspace-error.ts";
import {
  type DiskFolder,
  type DiskState,
  isVersion,
  makeParents,
  readState,
  removeEmptyParents,
  removeEmptyTree,
  syncDirectory,
} from "./disk-file.ts";
import {
  addFile,
  type FileExchange,
  isLeftAside,
  placeLink,
  placeNew,
  removeFile,
  replaceFile,
  settle,
} from "./exchange-file.ts";
import { objectIdsOf } from "./plan-restore.ts";
import { removeStaged, type StagedFile, StagedFiles } from "./staged-files.ts";

interface Step extends FileExchange, StagedFile {
  /** The path as the plan has it. */
  readonly text: string;
}

/** One file cannot be done. What is not among these, such as a full disk, ends the restore. */
const REFUSALS: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "EBUSY",
  "ETXTBSY",
  "EEXIST",
  "ENOENT",
  "ENOTDIR",
  "ENOTEMPTY",
  "EISDIR",
  "ELOOP",
  "EINVAL",
  "EILSEQ",
  "ENAMETOOLONG",
  "ENOTSUP",
  "EXDEV",
]);

export async function applyPlan(git: Git, directory: string, plan: RestorePlan): Promise<RestoreResult> {
  const reader = new ObjectReader(git);
  const sizes = await reader.sizes(objectIdsOf(plan.changes));
  const folder = await folderOf(git, directory);
  const steps = plan.changes.map((change, at) => readStep(folder, plan, change, at, sizes));

  await using staged = new StagedFiles(folder);
  const restored = new Set<Step>();
  const during = async (some: readonly Step[], action: (step: Step) => boolean) => {
    await oneByOne(some, async (step) => {
      await confirmLock();
      if (await isPossible(() => action(step))) restored.add(step);
    });
  };
  // What a restore that was killed has left.
  await oneByOne(steps, async (step) => {
    await confirmLock();
    return isPossible(() => settle(step));
  });
  await oneByOne(steps, (step) => removeStaged(folder, step));
  const contents = await stage(reader, staged, steps, sizes);
  await during(
    steps.filter(({ to }) => !to),
    remove,
  );
  await during([...contents.keys()], (step) => write(step, staged, contents.get(step)));
  const parents = new Set(steps.map(({ path }) => parentOf(path)));
  await oneByOne(parents, (parent) => syncDirectory(folder, parent));
  const kept: string[] = [];
  await oneByOne(steps, async (step) => {
    if (!restored.has(step)) kept.push(step.text);
    // No checkpoint has a file of this name, so nobody else would tell of it.
    if (await isPossible(() => isLeftAside(step))) kept.push(textOfPath(step.aside));
  });
  return { restored: steps.filter((step) => restored.has(step)).map(({ text }) => text), kept };
}

/** Also where contents are missing: a file is looked at, nothing is read from the checkpoint. */
export async function findDone(git: Git, directory: string, plan: RestorePlan): Promise<string[]> {
  const sizes = await new ObjectReader(git).knownSizes(objectIdsOf(plan.changes));
  const folder = await folderOf(git, directory);
  const done: string[] = [];
  await oneByOne(plan.changes.entries(), async ([at, change]) => {
    const { path, text, to, sizes: own } = readStep(folder, plan, change, at, sizes);
    const isDone = await isPossible(() => {
      const found = readState(folder, path, own);
      return to ? isVersion(folder, found, to) : isGone(found);
    });
    if (isDone) done.push(text);
  });
  return done;
}

async function folderOf(git: Git, directory: string): Promise<DiskFolder> {
  const setting = await git.run(["config", "--get", "core.fileMode"], { allowedCodes: [1] });
  return { directory, hasModes: setting.stdout.toString().trim() !== "false" };
}

function readStep(
  folder: DiskFolder,
  { checkpoint }: RestorePlan,
  { path: text, from, to }: PlannedChange,
  at: number,
  sizes: ReadonlyMap<string, number>,
): Step {
  const path = pathOfText(text);
  const isInside = path.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()));
  if (!isInside || path.includes("\0"))
    throw new WorkspaceError(`${JSON.stringify(text)} is no file of the directory. Nothing was changed.`);
  const name = `.restore-${checkpoint.slice(0, 16)}-${at}`;
  return {
    folder,
    path,
    text,
    from,
    to,
    sizes: new Set([from, to].map((version) => sizes.get(version?.id ?? "") ?? -1)),
    temporaryName: `${name}.tmp`,
    aside: siblingOf(path, `${name}.old`),
  };
}

/**
 * Those that can be written, with where the ones that are links point to. Rejects if a content is damaged or has no room;
 * then nothing was changed.
 */
async function stage(
  reader: ObjectReader,
  staged: StagedFiles,
  steps: readonly Step[],
  sizes: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<Step, Buffer | undefined>> {
  const contents = new Map<Step, Buffer | undefined>();
  const byContent = Map.groupBy(
    steps.filter(({ to }) => to),
    ({ to }) => to!.id,
  );
  for await (const [id, content] of reader.contents([...byContent.keys()], sizes)) {
    await oneByOne(byContent.get(id)!, async (step) => {
      const isLink = step.to!.mode === "120000";
      const isStaged = await isPossible(async () => {
        if (!isLink && !isOnlyMode(step)) await staged.write(step, content);
        return true;
      });
      if (isStaged) contents.set(step, isLink ? Buffer.from(content) : undefined);
    });
  }
  return contents;
}

/** Where we may not, or somebody is faster, the file stays. */
async function isPossible(action: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await action();
  } catch (error) {
    if (REFUSALS.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** False if it is something else by now. */
function remove(step: Step): boolean {
  const { folder, path, from, sizes } = step;
  const found = readState(folder, path, sizes);
  if (!isGone(found) && !(isVersion(folder, found, from) && removeFile(step))) return false;
  // Also after a crash between the two.
  removeEmptyParents(folder, path);
  return true;
}

/** Neither a directory nor what lies beyond a link is the file that was to go. */
function isGone({ is }: DiskState): boolean {
  return is === "absent" || is === "directory" || is === "blocked";
}

function write(step: Step, staged: StagedFiles, target: Buffer | undefined): boolean {
  const { folder, path, from, to, sizes } = step;
  let found = readState(folder, path, sizes);
  if (isVersion(folder, found, to)) return true;
  // What the deletions left of a directory counts as nothing.
  if (found.is === "directory" && removeEmptyTree(folder, path)) found = { is: "absent" };
  if (!isVersion(folder, found, from)) return false;
  if (isOnlyMode(step)) return changeMode(step, found);
  if (!makeParents(folder, path)) return false;
  const place = (name: Buffer) =>
    target ? placeLink(target, name) : placeNew(staged.take(path, modeFor(to!, found)), name);
  return found.is === "file" ? replaceFile(step, place) : addFile(step, place);
}

/** Whether only the right to run it changes. */
function isOnlyMode({ from, to }: Step): boolean {
  return from?.id === to?.id && [from, to].every((version) => version?.mode.startsWith("100"));
}

/** By its descriptor: a link that somebody puts into its place is not followed. */
function changeMode({ folder, path, to }: Step, found: DiskState): boolean {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(pathBytes(folder.directory, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (found.is !== "file" || fstatSync(descriptor, { bigint: true }).ino !== found.stats.ino) return false;
    fchmodSync(descriptor, modeFor(to!, found));
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** Of the file that is replaced, if there is one; only whether it can be run is the checkpoint's. */
function modeFor({ mode }: FileVersion, found: DiskState): number {
  const isReplaced = found.is === "file" && found.version.mode !== "120000";
  const bits = isReplaced ? Number(found.stats.mode & 0o7777n) : 0o666 & ~process.umask();
  return mode === "100755" ? bits | ((bits & 0o444) >> 2) : bits & ~0o111;
}
