/**
 * How long a node may be silent. All nodes of a database must have the same. A node stops by itself before others may
 * take its sessions: between `freezeMs` and `deadMs` lies what a stop of its agents takes, and how much clocks differ in
 * ten seconds.
 */
export interface LeaseTimes {
  /** Between two beats, and between two looks at those of others. */
  beatMs: number;
  /** After this long without a beat that arrived, a node freezes. */
  freezeMs: number;
  /** After this long without a beat that anybody saw, a node is declared dead. */
  deadMs: number;
  /** Between two looks for claims whose answer was lost. */
  reconcileMs: number;
}

export const DEFAULT_LEASE_TIMES: LeaseTimes = {
  beatMs: 2000,
  freezeMs: 7000,
  deadMs: 10_000,
  reconcileMs: 10_000,
};
