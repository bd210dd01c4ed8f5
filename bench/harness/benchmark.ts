/** What a benchmark is: it runs for a few seconds and gives figures, each beside a baseline of the same run where there is one. */

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** Bare work measured in the same run; the ratio to it says more than the value. */
  readonly baseline?: Reference;
  /** What nothing of this kind can beat on this machine: the same with less done. */
  readonly ceiling?: Reference;
  /** Its place on a curve, where the benchmark shows how something grows. */
  readonly point?: { readonly curve: string; readonly x: number };
}

export interface Reference {
  readonly name: string;
  readonly value: number;
  /** Ours divided by this, round by round: the median, and between what the middle half of the rounds lies. */
  readonly ratio?: { readonly median: number; readonly from: number; readonly to: number };
}

export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  run(scale: Scale): Promise<Figure[]>;
}

/** How much is done, and against whom. A smoke run does everything once with tiny sizes: it shows that the benchmarks work, its figures mean nothing. */
export interface Scale {
  readonly rounds: number;
  size(full: number, smoke: number): number;
  /** Another checkout of the project, which takes the place of the peer. */
  readonly against?: string;
}

export const FULL: Scale = { rounds: 3, size: (full) => full };
export const SMOKE: Scale = { rounds: 1, size: (_full, smoke) => smoke };
