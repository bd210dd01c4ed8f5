/** Whether a file is as it was, without reading it: by what the system says of it. */
import { type BigIntStats, lstatSync } from "node:fs";
import { inspectFile } from "../files/regular-file.ts";

/**
 * A file that was changed so recently may be changed again without getting another time: the clock of a file system
 * ticks, on some only every two seconds.
 */
export const SETTLING_MS = 3000;

/** For a clock that ticks in seconds. It may be that of another machine, which nobody has set. */
const COARSE_SETTLING_MS = 3_600_000;

const SECOND_NS = 1_000_000_000n;
const MILLISECOND_NS = 1_000_000n;

/** Undefined where there is nothing, and where nobody may look: among its parents may be a file by now. */
export function findStatus(name: Buffer): BigIntStats | undefined {
  try {
    return lstatSync(name, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Another one for each change of a file, if it is settled. Of a directory only which one it is. */
export function stateOf(status: BigIntStats): string {
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = status;
  return status.isDirectory()
    ? `${dev} ${ino} ${mode}`
    : `${dev} ${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Of the file that a path leads to, also through links. Undefined where there is none. */
export async function findState(path: string): Promise<string | undefined> {
  const status = await inspectFile(path);
  return status && stateOf(status);
}

/** Whether the time of a file's content (mtime) is not that of its last change: somebody may have set it. */
export function hasOtherMtime(state: string): boolean {
  const [mtime, ctime] = state.split(" ").slice(-2);
  return mtime !== ctime;
}

/** Whether a file's state has these times, in nanoseconds. */
export function hasTimes(
  state: string,
  { mtimeNs, ctimeNs }: Pick<BigIntStats, "mtimeNs" | "ctimeNs">,
): boolean {
  return state.endsWith(` ${mtimeNs} ${ctimeNs}`);
}

/**
 * Whether every change of a file after a moment gives it another state. Nobody can set the time of a file's last change
 * (ctime).
 *
 * @param at Milliseconds since the epoch.
 */
export function isSettled(status: BigIntStats, at: number): boolean {
  if (status.isDirectory()) return true;
  const isCoarse = status.ctimeNs % SECOND_NS === 0n;
  const latest = at - (isCoarse ? COARSE_SETTLING_MS : SETTLING_MS);
  return status.ctimeNs / MILLISECOND_NS < BigInt(latest);
}

/**
 * The states of some files, in their order, and whether all of them were settled at a moment. They are asked for one after
 * the other, in the gate of all reads.
 */
export async function readStates(
  paths: readonly string[],
  at = 0,
): Promise<{ states: (string | undefined)[]; areSettled: boolean }> {
  const found: (BigIntStats | undefined)[] = [];
  for (const path of paths) found.push(await inspectFile(path, { followsLinks: false }));
  return {
    states: found.map((status) => status && stateOf(status)),
    areSettled: found.every((status) => !status || isSettled(status, at)),
  };
}
