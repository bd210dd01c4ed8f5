/** Which files go back, and which stay because somebody else has touched them. Pure: it only compares versions. */
import type { FileVersion } from "../../core/workspace.ts";
import { isSameVersion, type TreeChange } from "../tree-changes.ts";

/** What a turn or a restore of the session changed. */
export interface SessionSpan {
  readonly changes: readonly TreeChange[];
  readonly foreign: ReadonlySet<string>;
  readonly mixed: ReadonlySet<string>;
}

export interface JudgedChange {
  /** As latin1. */
  readonly path: string;
  /** In the checkpoint to go back to. */
  readonly then: FileVersion | undefined;
  readonly now: FileVersion | undefined;
  /** What the session made of it, oldest first, since it last was as then. */
  readonly steps: readonly TreeChange[];
  /** Somebody else has changed it too. */
  readonly isConflict: boolean;
  /** And within a step, so that what they did cannot be told from what the session did. */
  readonly isShared: boolean;
}

interface Trace {
  /** What the session left. */
  last: FileVersion | undefined;
  isTouched: boolean;
  isShared: boolean;
  steps: TreeChange[];
}

/**
 * @param spans Those since the checkpoint to go back to, oldest first.
 * @param differences From that checkpoint to now.
 */
export function judgeChanges(
  spans: readonly SessionSpan[],
  differences: readonly TreeChange[],
): JudgedChange[] {
  const differing = new Map(differences.map((difference) => [difference.path, difference]));
  const traces = new Map<string, Trace>();
  for (const { changes, foreign, mixed } of spans) {
    for (const change of changes) {
      const difference = differing.get(change.path);
      // It is as then, or another session's doing.
      if (!difference || foreign.has(change.path)) continue;
      const then = difference.before;
      const trace = traces.get(change.path) ?? { last: then, isTouched: false, isShared: false, steps: [] };
      traces.set(change.path, follow(trace, change, then, mixed.has(change.path)));
    }
  }
  return [...traces].map(([path, { last, isTouched, isShared, steps }]) => {
    const { before: then, after: now } = differing.get(path)!;
    const isConflict = isTouched || isShared || !isSameVersion(last, now);
    return { path, then, now, steps, isConflict, isShared };
  });
}

/** Whenever a file is as then, nothing that anybody did to it before can get lost. */
function follow(trace: Trace, change: TreeChange, then: FileVersion | undefined, isMixed: boolean): Trace {
  const fresh = { last: then, isTouched: false, isShared: false, steps: [] };
  if (isSameVersion(change.after, then)) return fresh;
  const start = isSameVersion(change.before, then) ? fresh : trace;
  return {
    last: change.after,
    isTouched: start.isTouched || !isSameVersion(start.last, change.before),
    isShared: start.isShared || isMixed,
    steps: [...start.steps, change],
  };
}
