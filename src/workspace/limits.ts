/** How much of a directory is kept, and for how long. */

export interface WorkspaceLimits {
  /** A larger file is left out, and named. */
  readonly maxFileBytes: number;
  /** Of new and changed files together in one checkpoint. */
  readonly maxNewBytes: number;
  /** A directory with more has no checkpoints. */
  readonly maxFiles: number;
  /** Of all checkpoints of a directory: the oldest go. It gets no new ones while they take twice as much. */
  readonly maxKeptBytes: number;
  /** With less room on the disk no checkpoint is made. */
  readonly minFreeBytes: number;
  readonly maxRepositoriesInside: number;
  /** What is older goes, except the first, the latest, and what is to be kept. */
  readonly maxAgeMs: number;
  /** Of one session in one directory. */
  readonly maxCheckpoints: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: WorkspaceLimits = {
  maxFileBytes: 10 * MIB,
  maxNewBytes: 1024 * MIB,
  maxFiles: 300_000,
  maxKeptBytes: 2048 * MIB,
  minFreeBytes: 1024 * MIB,
  maxRepositoriesInside: 100,
  maxAgeMs: 30 * 24 * 3600 * 1000,
  maxCheckpoints: 200,
};
