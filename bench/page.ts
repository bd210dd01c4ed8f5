/** The page in a real browser: 5,000 messages opened and scrolled through, keys pressed while an answer streams. */
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";

/** Not named where it is imported: it is written for a browser, and the types here are those of Node. */
const MEASURE = "../test/browser/measure-page.ts";

interface Measure {
  measurePage(scale: Scale): Promise<Figure[]>;
}

export const page: Benchmark = {
  name: "page",
  summary: "the page in a browser: 5,000 messages opened and scrolled, keys pressed while an answer streams",
  async run(scale) {
    // Where benchmarks are only tried, no browser is installed; `test/browser/bench-page.test.ts` tries this one.
    if (scale.size(1, 0) === 0) return [];
    const { measurePage } = (await import(MEASURE)) as Measure;
    return measurePage(scale);
  },
};
