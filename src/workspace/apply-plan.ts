/**
 * Carries out the plan of a restore: deletions, then writes, each only where the file is what the plan says. Done again
 * after a crash it finds what is done already and finishes the rest.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type { FileVersion, PlannedChange, RestorePlan, RestoreResult } from "../core/workspace.ts";
import {
  type DiskFolder,
  isVersion,
  parentOf,
  readState,
  removeEmptyParents,
  removeEmptyTree,
  removeFile,
  removeTemporary,
  syncDirectory,
  writeVersion,
} from "./disk-file.ts";
import type { Git } from "./git.ts";
import { ObjectReader } from "./object-reader.ts";
import { pathOfText } from "./path-text.ts";
import { WorkspaceError } from "./workspace-error.ts";

interface Step {
  readonly path: string;
  readonly text: string;
  readonly from: FileVersion | undefined;
  readonly to: FileVersion | undefined;
  readonly temporaryName: string;
}

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
]);

/** How many files are done before others in this process have their turn. */
const FILES_AT_ONCE = 16;

export async function applyPlan(git: Git, directory: string, plan: RestorePlan): Promise<RestoreResult> {
  const steps = plan.changes.map((change, at) => readStep(plan, change, at));
  const reader = new ObjectReader(git);
  const ids = steps.flatMap(({ from, to }) => [from?.id, to?.id]).filter((id) => id !== undefined);
  const sizes = await reader.sizes([...new Set(ids)]);
  const setting = await git.run(["config", "--get", "core.fileMode"], { allowedCodes: [1] });
  const folder = { directory, hasModes: setting.stdout.toString().trim() !== "false" };

  const restored = new Set<string>();
  const deletions = steps.filter(({ to }) => !to);
  for (const [at, step] of deletions.entries()) {
    if (at % FILES_AT_ONCE === 0) await nextTick();
    if (isPossible(() => remove(folder, step, sizes))) restored.add(step.text);
  }
  const writes = steps.filter(({ to }) => to);
  for (const { path, temporaryName } of writes) removeTemporary(folder, path, temporaryName);
  const byContent = Map.groupBy(writes, ({ to }) => to!.id);
  let done = 0;
  for await (const [id, content] of reader.contents([...byContent.keys()], sizes)) {
    for (const step of byContent.get(id)!) {
      if (done % FILES_AT_ONCE === 0) await nextTick();
      done += 1;
      if (isPossible(() => write(folder, step, sizes, content))) restored.add(step.text);
    }
  }
  for (const parent of new Set(steps.map(({ path }) => parentOf(path)))) syncDirectory(folder, parent);
  const texts = steps.map(({ text }) => text);
  return {
    restored: texts.filter((text) => restored.has(text)),
    kept: texts.filter((text) => !restored.has(text)),
  };
}

function readStep({ checkpoint }: RestorePlan, { path: text, from, to }: PlannedChange, at: number): Step {
  const path = pathOfText(text);
  const isInside = path.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()));
  if (!isInside || path.includes("\0"))
    throw new WorkspaceError(`${JSON.stringify(text)} is no file of the directory. Nothing was changed.`);
  return { path, text, from, to, temporaryName: `.restore-${checkpoint.slice(0, 16)}-${at}.tmp` };
}

/** Where we may not, or somebody is faster, the file stays. A full disk is another matter: it ends the restore. */
function isPossible(action: () => boolean): boolean {
  try {
    return action();
  } catch (error) {
    if (REFUSALS.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** False if it is something else by now. */
function remove(folder: DiskFolder, step: Step, sizes: ReadonlyMap<string, number>): boolean {
  const { path, from } = step;
  const found = readState(folder, path, sizesOf(step, sizes));
  // Neither a directory nor what lies beyond a link is the file that was to go.
  const isGone = found.is === "absent" || found.is === "directory" || found.is === "blocked";
  if (!isGone && !(isVersion(folder, found, from) && removeFile(folder, path, found))) return false;
  // Also after a crash between the two.
  removeEmptyParents(folder, path);
  return true;
}

function write(folder: DiskFolder, step: Step, sizes: ReadonlyMap<string, number>, content: Buffer): boolean {
  const { path, from, to, temporaryName } = step;
  let found = readState(folder, path, sizesOf(step, sizes));
  if (isVersion(folder, found, to)) return true;
  // What the deletions left of a directory counts as nothing.
  if (found.is === "directory" && removeEmptyTree(folder, path)) found = { is: "absent" };
  if (!isVersion(folder, found, from)) return false;
  return writeVersion(folder, path, found, to!, content, temporaryName);
}

function sizesOf({ from, to }: Step, sizes: ReadonlyMap<string, number>): ReadonlySet<number> {
  return new Set([from, to].map((version) => (version ? sizes.get(version.id)! : -1)));
}
