/**
 * Shows edits where they will be made, or were made: with the line numbers of the file and the lines around them. Where the
 * file cannot be read or does not have the text, the diff has no line numbers, and an ask says why.
 */
import type { Draft } from "../../core/draft.ts";
import { TEXT_LIMITS } from "../../core/draft-limits.ts";
import type { ProjectFiles } from "../../core/project-files.ts";
import {
  applyEdits,
  type EditedText,
  type EditProblem,
  type FileChange,
  type ProposedChange,
  proposedChangesSchema,
  reversedEdits,
  withLocationNote,
} from "../../core/proposed-change.ts";
import { finishInSlices } from "../../core/steps.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { diffOfFile } from "./diff-of-file.ts";

type AskDraft = Extract<Draft, { type: "ask.opened" | "ask.updated" }>;
type EditedDraft = Extract<Draft, { type: "file.edited" }>;

export interface LocateOptions {
  readonly files: ProjectFiles;
  /** The session's directory. Files outside of it are not read. */
  readonly directory: string;
  /** The agent's files are on another machine. */
  readonly isRemote: boolean;
  readonly slices: TimeSlices;
}

/** How long an ask waits for its files, all together. Nothing else of the agent is read meanwhile. */
const MAX_WAIT_MS = 1000;

const MAX_FILES = 20;
const MAX_REASONS = 3;

const REASONS: Readonly<Record<EditProblem, string>> = {
  "not-found": "The text to replace is not in the file.",
  "not-unique": "The text to replace occurs more than once in the file.",
  "too-large": "The edits are too large.",
  exists: "The file exists already.",
};

/** Undefined where there are no edits, so that nobody waits. Never rejects. */
export function locateChanges(
  drafts: readonly Draft[],
  options: LocateOptions,
): Promise<readonly Draft[]> | undefined {
  if (!drafts.some((draft) => hasEdits(draft) || wasEdited(draft))) return undefined;
  const limit = new TimeLimit(MAX_WAIT_MS);
  let files = 0;
  const located = drafts.map((draft) => {
    if (hasEdits(draft)) return locateAsk(draft, options, limit);
    if (!wasEdited(draft)) return draft;
    files += 1;
    return files > MAX_FILES ? withoutPlace(draft) : locateEdited(draft, options, limit);
  });
  return Promise.all(located).finally(() => limit.clear());
}

/** Changes of another shape are none to be located: they are mended like everything else. */
function hasEdits(draft: Draft): draft is AskDraft {
  return (
    (draft.type === "ask.opened" || draft.type === "ask.updated") &&
    draft.changes !== undefined &&
    proposedChangesSchema.safeParse(draft.changes).data?.some(({ edits }) => edits) === true
  );
}

function wasEdited(draft: Draft): draft is EditedDraft {
  return (
    draft.type === "file.edited" && proposedChangesSchema.safeParse([draft]).data?.[0]?.edits !== undefined
  );
}

/** The file as it is has the new text. A file that is new or written whole shows all of it already. */
async function locateEdited(
  draft: EditedDraft,
  { files, directory, isRemote, slices }: LocateOptions,
  limit: TimeLimit,
): Promise<EditedDraft> {
  const { path, edits = [] } = draft;
  if (edits.some(({ find }) => find === undefined)) return draft;
  if (isRemote) return withoutPlace(draft);
  try {
    const text = await limit.of(files.readText(path, directory), `${path} could not be read in time.`);
    const undone = await finishInSlices(applyEdits(text, reversedEdits(edits)), slices);
    if (!isEdited(undone)) return withoutPlace(draft);
    const diff = await diffOfFile(path, { before: undone.after, after: undone.before ?? "" }, slices);
    return diff.length > TEXT_LIMITS.diff! ? withoutPlace(draft) : { ...draft, diff };
  } catch {
    return withoutPlace(draft);
  }
}

function withoutPlace(draft: EditedDraft): EditedDraft {
  return draft.diff === undefined ? draft : { ...draft, diff: withoutNumbers(draft.diff) };
}

async function locateAsk(draft: AskDraft, options: LocateOptions, limit: TimeLimit): Promise<Draft> {
  const changes: FileChange[] = [];
  const reasons = new Set<string>();
  let files = 0;
  for (const group of byFile(draft.changes ?? [])) {
    files += 1;
    try {
      if (files > MAX_FILES) throw new Error("There are too many files.");
      changes.push(await locateFile(group, options, limit));
    } catch (error) {
      reasons.add((error as Error).message);
      for (const { edits: _edits, diff, ...change } of group)
        changes.push(diff === undefined ? change : { ...change, diff: withoutNumbers(diff) });
    }
  }
  if (reasons.size === 0 || draft.type === "ask.updated") return { ...draft, changes };
  const reason = [...reasons].slice(0, MAX_REASONS).join(" ");
  return { ...draft, changes, description: withLocationNote(draft.description, reason) };
}

/** Changes of one file become one: their edits are made one after the other. */
function byFile(changes: readonly ProposedChange[]): ProposedChange[][] {
  const groups: ProposedChange[][] = [];
  const byPath = new Map<string, ProposedChange[]>();
  for (const change of changes) {
    const known = change.edits && byPath.get(change.path);
    if (known) {
      known.push(change);
      continue;
    }
    const group = [change];
    groups.push(group);
    if (change.edits) byPath.set(change.path, group);
  }
  return groups;
}

/** Rejects with the reason why it cannot be shown in its file. */
async function locateFile(
  group: readonly ProposedChange[],
  { files, directory, isRemote, slices }: LocateOptions,
  limit: TimeLimit,
): Promise<FileChange> {
  const { edits: first, ...change } = group[0]!;
  if (first === undefined) return change;
  if (isRemote) throw new Error("The agent's files are on another machine.");
  const { path } = change;
  const edits = group.flatMap((each) => each.edits ?? []);
  const text = await limit.of(files.readText(path, directory), `${path} could not be read in time.`);
  const edited = await finishInSlices(applyEdits(text, edits), slices);
  if (!isEdited(edited)) throw new Error(REASONS[edited]);
  const diff = await diffOfFile(path, edited, slices);
  if (diff.length > TEXT_LIMITS.diff!) throw new Error("The diff is too large.");
  return { ...change, kind: text === undefined ? "created" : "changed", diff };
}

function isEdited(result: EditedText | EditProblem): result is EditedText {
  return typeof result === "object";
}

/** Lines of unknown numbers have 0. What is only added is a new file, and begins with line 1. */
function withoutNumbers(diff: string): string {
  return diff.replaceAll(/^@@ -\d+(,[1-9]\d*) \+\d+(,\d+) @@/gm, "@@ -0$1 +0$2 @@");
}

/** One for all that is awaited together. */
class TimeLimit {
  readonly #late: Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#late = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, ms);
    });
  }

  /** Rejects when it takes too long. */
  of<Result>(work: Promise<Result>, late: string): Promise<Result> {
    const isLate = this.#late.then(() => {
      throw new Error(late);
    });
    return Promise.race([work, isLate]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
