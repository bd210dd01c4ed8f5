/** What differs between two checkpoints, for people: numbers, unified diffs and what was there before. */
import { trimEndOf } from "../core/trim-end-of.ts";
import type { CheckpointPair, FileDifference } from "../core/workspace.ts";
import { type CheckpointRecord, isUncovered, readRecord } from "./checkpoint-record.ts";
import { BYTES, type Git, zeroSeparated } from "./git.ts";
import { ObjectReader } from "./object-reader.ts";
import { asArgument, isUtf8, pathOfText, textOfPath } from "./path-text.ts";
import { pathFilter, readRawChanges, type TreeChange } from "./tree-changes.ts";

/** Larger files are not compared line by line. */
const MAX_COMPARED_BYTES = 2 ** 20;

/** Of one diff. */
const MAX_DIFF_BYTES = 2 ** 18;

/** Of all diffs together, and of all bases. */
const MAX_TOTAL_BYTES = 2 ** 23;

const MAX_ARGUMENTS = 200;

const DIFF_OPTIONS = ["-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];

export interface CompareRequest extends CheckpointPair {
  readonly paths?: readonly string[];
  readonly withBase?: boolean;
}

interface Compared extends TreeChange {
  readonly additions: number;
  readonly deletions: number;
  /** Git does not compare it line by line. */
  readonly isBinary: boolean;
}

export async function compare(
  git: Git,
  request: CompareRequest,
  signal?: AbortSignal,
): Promise<FileDifference[]> {
  const [from, to] = await Promise.all([
    readRecord(git, request.from, signal),
    readRecord(git, request.to, signal),
  ]);
  const trees = { from: `${request.from}^{tree}`, to: `${request.to}^{tree}` };
  return await compareRecorded(git, trees, { from, to }, request, signal);
}

/** The same for trees, and for what the checkpoints they are of do not have. */
export async function compareRecorded(
  git: Git,
  between: CheckpointPair,
  { from, to }: { readonly from: CheckpointRecord; readonly to: CheckpointRecord },
  request: Pick<CompareRequest, "paths" | "withBase">,
  signal?: AbortSignal,
): Promise<FileDifference[]> {
  const paths = request.paths?.map((path) => pathOfText(trimEndOf(path, /\//)));
  const isAmong = pathFilter(paths);
  const trees = [between.from, between.to, ...asArguments(paths)];
  const [all, diffs] = await Promise.all([compareTrees(git, trees, signal), readDiffs(git, trees, signal)]);
  const sizes = await readSizes(git, all, signal);
  const bases = request.withBase ? await readBases(git, all, isAmong, sizes, signal) : undefined;
  const differences: FileDifference[] = [];
  let section = 0;
  for (const compared of all) {
    const diff = diffs.sections.slice(section, section + sectionsOf(compared)).join("");
    section += sectionsOf(compared);
    if (!isAmong(compared.path)) continue;
    const isComplete = section < diffs.sections.length || (section === diffs.sections.length && !diffs.isCut);
    const base = compared.before && bases?.get(compared.before.id);
    differences.push(describe(compared, { from, to, diff: isComplete ? diff : undefined, base, sizes }));
  }
  return differences;
}

interface Details {
  readonly from: CheckpointRecord;
  readonly to: CheckpointRecord;
  readonly diff: string | undefined;
  readonly base: string | undefined;
  readonly sizes: ReadonlyMap<string, number>;
}

function describe(compared: Compared, { from, to, diff, base, sizes }: Details): FileDifference {
  const { path, before, after, additions, deletions, isBinary } = compared;
  // One side has the file but not in its checkpoint.
  const isHidden = (!before && isUncovered(from, path)) || (!after && isUncovered(to, path));
  const isLarge = [before, after].some(
    (version) => version && (sizes.get(version.id) ?? 0) >= MAX_COMPARED_BYTES,
  );
  const tooLarge =
    isHidden || isLarge || (!isBinary && diff === undefined) || (diff?.length ?? 0) > MAX_DIFF_BYTES;
  return {
    path: textOfPath(path),
    status: isHidden ? "modified" : !before ? "added" : !after ? "deleted" : "modified",
    additions: isHidden ? 0 : additions,
    deletions: isHidden ? 0 : deletions,
    ...(!tooLarge && !isBinary && diff !== undefined && { diff: Buffer.from(diff, BYTES).toString() }),
    ...(base !== undefined && { base }),
    ...(isBinary && !isLarge && { binary: true }),
    ...(tooLarge && { tooLarge: true }),
  };
}

/** A file that becomes a link is deleted and added, so its diff has two sections. */
function sectionsOf({ before, after }: TreeChange): number {
  return before && after && before.mode.slice(0, 3) !== after.mode.slice(0, 3) ? 2 : 1;
}

/** So that git compares less. What no program can be told is left to us. */
function asArguments(paths: readonly string[] | undefined): string[] {
  const isTellable =
    paths?.length && paths.length < MAX_ARGUMENTS && paths.every((path) => path !== "" && isUtf8(path));
  return isTellable ? ["--", ...paths.map(asArgument)] : [];
}

async function compareTrees(git: Git, trees: readonly string[], signal?: AbortSignal): Promise<Compared[]> {
  const args = ["diff-tree", ...DIFF_OPTIONS, "-z", "--raw", "--numstat", ...trees];
  const { stdout } = await git.run(args, {
    signal,
    settings: [`core.bigFileThreshold=${MAX_COMPARED_BYTES}`],
  });
  const fields = zeroSeparated(stdout);
  const changes = readRawChanges(fields);
  const numbers = new Map<string, readonly [string, string]>();
  for (const field of fields.slice(changes.length * 2)) {
    const [, additions = "", deletions = "", path = ""] = /^([\d-]+)\t([\d-]+)\t([\s\S]*)$/.exec(field) ?? [];
    numbers.set(path, [additions, deletions]);
  }
  return changes.map((change) => {
    const [additions = "0", deletions = "0"] = numbers.get(change.path) ?? [];
    const isBinary = additions === "-";
    return { ...change, isBinary, additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
  });
}

/** One section for each file, in the order of the tree, until there is too much. As latin1. */
async function readDiffs(
  git: Git,
  trees: readonly string[],
  signal?: AbortSignal,
): Promise<{ sections: string[]; isCut: boolean }> {
  const { stdout, isCut } = await git.run(["diff-tree", ...DIFF_OPTIONS, "-p", "--abbrev=7", ...trees], {
    signal,
    settings: [`core.bigFileThreshold=${MAX_COMPARED_BYTES}`],
    maxOutputBytes: MAX_TOTAL_BYTES,
  });
  const text = stdout.toString(BYTES);
  // Lines of files begin with another character, and a line break in a name is quoted. Not `^` with the flag m: to that
  // a line begins after a carriage return too.
  const sections = text === "" ? [] : text.split(/(?<=\n)(?=diff --git )/);
  if (isCut) sections.pop();
  return { sections, isCut };
}

async function readSizes(
  git: Git,
  changes: readonly TreeChange[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(
    changes.flatMap(({ before, after }) => [before?.id, after?.id]).filter((id) => id !== undefined),
  );
  return await new ObjectReader(git).sizes([...ids], signal);
}

/** Only of text that is small enough to show. */
async function readBases(
  git: Git,
  changes: readonly Compared[],
  isAmong: (path: string) => boolean,
  sizes: ReadonlyMap<string, number>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set<string>();
  let total = 0;
  for (const { path, before, isBinary } of changes) {
    const size = (before && sizes.get(before.id)) ?? Infinity;
    if (!before || isBinary || size > MAX_COMPARED_BYTES || !isAmong(path)) continue;
    total += size;
    if (total > MAX_TOTAL_BYTES) break;
    wanted.add(before.id);
  }
  const bases = new Map<string, string>();
  for await (const [id, content] of new ObjectReader(git).contents([...wanted], sizes, signal))
    bases.set(id, content.toString());
  return bases;
}
