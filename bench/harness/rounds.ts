/** Measuring: several rounds in which every contestant has its turn, so that a noisy machine is noisy for all of them. */
import { quantile } from "./quantile.ts";

export interface Sample {
  readonly wallMs: number;
  readonly cpuMicroseconds: number;
}

export type CpuMeter = () => number | Promise<number>;

/** Processor time of this process with all its threads, in microseconds. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** `cpu` reads the processor time of whoever does the work. */
export async function measure(action: () => unknown, cpu: CpuMeter = ownCpu): Promise<Sample> {
  const cpuBefore = await cpu();
  const startedAt = performance.now();
  await action();
  const wallMs = performance.now() - startedAt;
  return { wallMs, cpuMicroseconds: (await cpu()) - cpuBefore };
}

/** Gives the results of each contestant, one per round. */
export async function inRounds<Name extends string, Result>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await contestants[name]());
  }
  return results;
}

/** Rounds after one for the compiler to warm up that does not count. For what runs in this process. */
export async function inWarmRounds<Name extends string, Result>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  await inRounds(1, contestants);
  return inRounds(rounds, contestants);
}

export function medianOf<Result>(results: readonly Result[], pick: (result: Result) => number): number {
  return quantile(results.map(pick), 0.5);
}
