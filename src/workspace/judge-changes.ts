/** Which files go back, and which stay because somebody else has touched them. Pure: it only compares versions. */
import type { FileVersion } from "../core/workspace.ts";
import { isSameVersion, type TreeChange } from "./tree-changes.ts";

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
}

interface Trace {
  /** What the session left. */
  last: FileVersion | undefined;
  isMixed: boolean;
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
      const trace = traces.get(change.path) ?? { last: then, isMixed: false, steps: [] };
      traces.set(change.path, follow(trace, change, then, mixed.has(change.path)));
    }
  }
  return [...traces].map(([path, { last, isMixed, steps }]) => {
    const { before: then, after: now } = differing.get(path)!;
    return { path, then, now, steps, isConflict: isMixed || !isSameVersion(last, now) };
  });
}

/** Whenever a file is as then, nothing that anybody did to it before can get lost. */
function follow(trace: Trace, change: TreeChange, then: FileVersion | undefined, isMixed: boolean): Trace {
  if (isSameVersion(change.after, then)) return { last: then, isMixed: false, steps: [] };
  const isFresh = isSameVersion(change.before, then);
  const wasTouched = !isFresh && (trace.isMixed || !isSameVersion(trace.last, change.before));
  return {
    last: change.after,
    isMixed: isMixed || wasTouched,
    steps: isFresh ? [change] : [...trace.steps, change],
  };
}
