/** What `npm run bench` is asked for: which benchmarks, how much of them, against whom, and what becomes of the figures. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import { type Benchmark, FULL, type Scale, SMOKE } from "./harness/benchmark.ts";

/** What another checkout is compared by when nothing is named: what people wait for, and what most events cost. */
const AGAINST_DEFAULT = ["peer-burst", "peer-latency"];

export const USAGE = `usage: npm run bench -- [NAME…] [--against PATH] [--rounds N] [--json] [--save] [--smoke]

${BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(15)}${summary}`).join("\n")}

  A name stands for all that begin with it: peer for the whole comparison.

  --against PATH  compare with the daemon of another checkout instead of the peer: ${AGAINST_DEFAULT.join(" and ")},
                  or those that are named and begin with peer-
  --rounds N      how often everybody has a turn
  --json          print the figures as JSON
  --save          keep them in bench/results/ under the version of the package, in the place of older ones of the
                  same benchmarks, and bring docs/performance.md up to date
  --smoke         run with tiny sizes, only to see that everything works
`;

export interface BenchArguments {
  readonly chosen: readonly Benchmark[];
  readonly scale: Scale;
  readonly json: boolean;
  readonly save: boolean;
  readonly help: boolean;
}

/** Throws a sentence for the person. */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values: flags, positionals: names } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      against: { type: "string" },
      rounds: { type: "string" },
      json: { type: "boolean", default: false },
      save: { type: "boolean", default: false },
      smoke: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const against = flags.against === undefined ? undefined : requireCheckout(flags.against);
  if (against && flags.save) throw new Error("What is measured against another checkout is not kept.");
  const wanted = against && names.length === 0 ? AGAINST_DEFAULT : names;
  const chosen = chooseBenchmarks(wanted);
  const alone = chosen.filter(({ name }) => !name.startsWith("peer-"));
  if (against && alone.length > 0) {
    throw new Error(
      `Only benchmarks that begin with peer- run against another checkout, not ${namesOf(alone)}.`,
    );
  }
  const scale = flags.smoke ? SMOKE : FULL;
  const rounds = flags.rounds === undefined ? scale.rounds : requireCount(flags.rounds);
  return {
    chosen,
    scale: { ...scale, rounds, against },
    json: flags.json,
    save: flags.save,
    help: flags.help,
  };
}

function chooseBenchmarks(names: readonly string[]): readonly Benchmark[] {
  const isNamed = (benchmark: string, name: string) => benchmark === name || benchmark.startsWith(`${name}-`);
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => isNamed(benchmark.name, name)));
  if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(", ")}.`);
  if (names.length === 0) return BENCHMARKS;
  return BENCHMARKS.filter((benchmark) => names.some((name) => isNamed(benchmark.name, name)));
}

function requireCheckout(path: string): string {
  const checkout = resolve(path);
  if (existsSync(join(checkout, "bin/interlingua.js"))) return checkout;
  throw new Error(`${checkout} is no checkout of Interlingua: it has no bin/interlingua.js.`);
}

function requireCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`--rounds is a number from 1 on, not ${text}.`);
}

function namesOf(benchmarks: readonly Benchmark[]): string {
  return benchmarks.map(({ name }) => name).join(", ");
}
