/** What a benchmark is: it runs for a few seconds and gives figures, each beside a baseline of the same run where there is one. */

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** The same work done bare, measured in the same run; the ratio to it says more than the value. */
  readonly baseline?: { readonly name: string; readonly value: number };
}

export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  run(scale: Scale): Promise<Figure[]>;
}

export class Scale {
  readonly #isSmoke: boolean;

  /** A smoke run does everything once with tiny sizes: it shows that the benchmarks work, its figures mean nothing. */
  constructor(isSmoke: boolean) {
    this.#isSmoke = isSmoke;
  }

  get rounds(): number {
    return this.#isSmoke ? 1 : 3;
  }

  size(full: number, smoke: number): number {
    return this.#isSmoke ? smoke : full;
  }
}
