/**
 * The port to a directory's past: checkpoints of its files, what changed between them, and the way back. The engine takes
 * checkpoints around turns and knows whose they are; the workspace knows files and nothing of sessions' logs.
 */

/** A file that a checkpoint does not have, and why. */
export interface UncoveredFile {
  readonly path: string;
  readonly reason: "too-large" | "unreadable" | "special";
}

/** Where checkpoints are kept, where several nodes have a session one after the other. */
export interface CheckpointPlace {
  readonly id: string;
  /** For people: the name of a node, or a directory that nodes share. */
  readonly name: string;
}

export interface Checkpoint {
  /** The id of a git commit in a repository of ours. */
  readonly id: string;
  /** Absent where there is one place for all. */
  readonly keptAt?: CheckpointPlace;
  readonly uncovered: readonly UncoveredFile[];
  /** Sentences for people, such as which ignore rules were not used and why. */
  readonly notices?: readonly string[];
}

/** Two checkpoints to be compared, by id. */
export interface CheckpointPair {
  readonly from: string;
  readonly to: string;
}

/**
 * One file that differs between two checkpoints. Paths are relative to the session's directory, everywhere in this port.
 * Bytes of a name that are no UTF-8 are lone surrogates, U+DC80 to U+DCFF.
 */
export interface FileDifference {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
  readonly additions: number;
  readonly deletions: number;
  /** Unified; absent for binary files and for those that are too large to show. */
  readonly diff?: string;
  /** What the file held before, on request. */
  readonly base?: string;
  readonly binary?: true;
  readonly tooLarge?: true;
}

/** A file or link as a checkpoint has it. */
export interface FileVersion {
  /** 100644, 100755 or 120000. */
  readonly mode: string;
  /** The id of its content. */
  readonly id: string;
}

/** One step of a restore. It is done only where the file still is what `from` says. */
export interface PlannedChange {
  readonly path: string;
  readonly from?: FileVersion;
  readonly to?: FileVersion;
}

/** Everything a restore does; it stands in the log before the first file is touched, so that a crash cannot tear it. */
export interface RestorePlan {
  /** Taken right before: it undoes the restore. */
  readonly checkpoint: string;
  readonly changes: readonly PlannedChange[];
  /**
   * Files that somebody else has changed since; they are left as they are. With `merge` and `overwrite` only those where
   * that is impossible, such as files that a checkpoint does not have. With `refuse` nothing is to be applied if there
   * are any.
   */
  readonly conflicts: readonly string[];
}

export interface RestoreResult {
  readonly restored: readonly string[];
  /**
   * Changed by somebody while the restore ran, so left as they are. Also the name beside a file under which its content
   * stays if somebody saved into that and something else took its place.
   */
  readonly kept: readonly string[];
}

/** What a turn of the session changed lies between its two checkpoints. */
export interface TurnSpan {
  readonly before: string;
  readonly after: string;
  /** Files that only another session's tools changed in that time: not a change of this turn. */
  readonly foreign?: readonly string[];
  /** Files that this turn and somebody else may have changed: they are conflicts. */
  readonly mixed?: readonly string[];
}

/** An earlier restore of the session, in its place among the turns: what it did is nobody else's change. */
export interface RestoreSpan {
  readonly changes: readonly PlannedChange[];
}

export interface RestoreRequest {
  readonly session: string;
  readonly directory: string;
  /** The checkpoint to go back to. */
  readonly target: string;
  /** The session's turns and restores since then, oldest first: only what they changed goes back. */
  readonly turns: readonly (TurnSpan | RestoreSpan)[];
  /** Only these files, or what is below these directories. */
  readonly paths?: readonly string[];
  readonly onConflict: "refuse" | "keep" | "merge" | "overwrite";
}

/** What the checkpoints of one directory take. */
export interface DirectoryUsage {
  readonly directory: string;
  /** Absent if they cannot be read. */
  readonly checkpoints?: number;
  readonly bytes: number;
  /** Why they cannot be read, and what helps. */
  readonly problem?: string;
}

export interface CollectedGarbage {
  /** How many checkpoints are gone. */
  readonly dropped: number;
  /** Directories whose checkpoints could not be looked after, each with the reason and what helps. */
  readonly failed: readonly { readonly directory: string; readonly problem: string }[];
}

export interface Workspace {
  /** Where checkpoints of a directory are kept. Absent where there is one place for all. */
  placeOf?(directory: string): CheckpointPlace;
  /** Whether this node has the checkpoints of a place. Absent like `placeOf`. */
  hasPlace?(id: string): boolean;
  /** Why there can be no checkpoints of this directory, in a sentence. Undefined if there can. */
  obstacle(directory: string): Promise<string | undefined>;
  /**
   * Rejects if it fails or is aborted; then there is no checkpoint, never a wrong one. What was done until then is lost:
   * who only stops waiting for a first one does not abort it.
   */
  capture(request: { session: string; directory: string }, signal?: AbortSignal): Promise<Checkpoint>;
  /** Which of these checkpoints are still there: old ones are dropped. */
  findKept(directory: string, checkpoints: readonly string[]): Promise<ReadonlySet<string>>;
  /** A checkpoint of the session that stays when it is old, until another one is named. */
  keep(request: { session: string; directory: string; checkpoint: string }): Promise<void>;
  /** Drops a checkpoint that nobody will ask for. */
  discard(request: { session: string; directory: string; checkpoint: string }): Promise<void>;
  /** Which files differ between each two checkpoints, in the order of the pairs. No file is read: ask this first. */
  findChangedPaths(
    request: { directory: string; pairs: readonly CheckpointPair[] },
    signal?: AbortSignal,
  ): Promise<string[][]>;
  /** What differs between two checkpoints, with the diff of each file that is among the paths. */
  compare(
    request: CheckpointPair & { directory: string; paths?: readonly string[]; withBase?: boolean },
    signal?: AbortSignal,
  ): Promise<FileDifference[]>;
  /** Takes a checkpoint of what is there now and tells what a restore would do. Writes nothing into the directory. */
  plan(request: RestoreRequest, signal?: AbortSignal): Promise<RestorePlan>;
  /** What a plan would change. */
  comparePlan(request: { directory: string; plan: RestorePlan }): Promise<FileDifference[]>;
  /** Carries a plan out. Once begun it can be repeated after a crash, with the same result. */
  apply(request: { directory: string; plan: RestorePlan }): Promise<RestoreResult>;
  /** Which files are as a plan makes them: what was done of one that could not be carried out to its end. */
  findDone(request: { directory: string; plan: RestorePlan }): Promise<string[]>;
  /** Drops the checkpoints of a deleted session. What only they had goes with the next `collectGarbage`. */
  forget(session: string): Promise<void>;
  /**
   * Drops the checkpoints of sessions that are not known, as far as they are older than the given time, in milliseconds since
   * the epoch: they were deleted at another node. Absent where there is no other.
   */
  forgetUnless?(isKnown: (session: string) => Promise<boolean>, before: number): Promise<void>;
  /** What all checkpoints take, the largest directory first. One that is damaged is among them, with its problem. */
  usage(): Promise<DirectoryUsage[]>;
  /**
   * Drops what is too old or too much, and packs the rest, with little priority. A checkpoint that is asked for meanwhile
   * goes first; the rest is done the next time. A directory that fails keeps no other from its turn. Rejects only when
   * aborted.
   */
  collectGarbage(signal?: AbortSignal): Promise<CollectedGarbage>;
}
