/** What a daemon takes, second by second, and whether it takes more and more. */
import { readdirSync, readFileSync } from "node:fs";

export interface Sample {
  residentBytes: number;
  descriptors: number;
  processes: number;
  /** How long the daemon took to say that it is well. */
  latencyMs: number;
}

/** What a process has open and has started, directly or not. Linux only. */
export function takeSample(pid: number): Omit<Sample, "latencyMs"> {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    residentBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    processes: descendants(pid),
  };
}

function descendants(pid: number): number {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // It ended while we looked.
    }
  }
  const count = (one: number): number =>
    (children.get(one) ?? []).reduce((sum, child) => sum + 1 + count(child), 0);
  return count(pid);
}

/**
 * How the last third compares with the first, by the medians: 1 is flat. The allowance is what may come on top of both
 * without counting, for small numbers jump.
 */
export function growth(samples: readonly Sample[], field: keyof Sample, allowance: number): number {
  const third = Math.floor(samples.length / 3);
  const values = samples.map((sample) => sample[field]);
  return (median(values.slice(-third)) + allowance) / (median(values.slice(0, third)) + allowance);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
