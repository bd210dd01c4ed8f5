/** What the processes of a chaos run record while it goes on, and what is left at its end. */

/** Every event of a run has a text of its own, which says who wrote it. */
export interface Writer {
  /** The number of the node. */
  readonly node: number;
  readonly epoch: number;
  /** The how manieth event of this node under this claim, from 1. */
  readonly count: number;
}

export function encodeWriter({ node, epoch, count }: Writer): string {
  return `${node}:${epoch}:${count}`;
}

/** Undefined for a text that nobody wrote. */
export function decodeWriter(text: string): Writer | undefined {
  const found = /^(\d+):(\d+):(\d+)$/.exec(text);
  if (!found) return undefined;
  const [node, epoch, count] = found.slice(1).map(Number);
  return { node: node!, epoch: epoch!, count: count! };
}

/** A node was granted a claim; `head` is where it then found the end of the log. */
export interface Claimed {
  readonly kind: "claimed";
  readonly session: string;
  readonly node: number;
  readonly epoch: number;
  readonly head: number;
}

/** Consecutive events: a node was told that they are written, or a reader got them. */
export interface Observed {
  readonly kind: "acknowledged" | "seen";
  readonly session: string;
  /** The seq of the first. */
  readonly first: number;
  readonly texts: readonly string[];
}

export type HistoryRecord = Claimed | Observed;

/** An entry of a log as it was read at the end: its place in the log, and what it says itself. */
export interface FinalEntry {
  readonly place: number;
  readonly seq: number;
  readonly text: string;
}

/** A session's log at the end of a run. */
export interface FinalLog {
  readonly session: string;
  readonly events: readonly FinalEntry[];
  readonly raws: readonly FinalEntry[];
  /** Where it ended when the last fault was over. It has to go on from there. */
  readonly headAfterFaults: number;
}
