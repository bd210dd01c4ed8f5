/** All benchmarks, from the smallest part to the whole. */
import { burst } from "./burst.ts";
import { catchUp } from "./catch-up.ts";
import { engine } from "./engine.ts";
import { fanOut } from "./fan-out.ts";
import type { Benchmark } from "./harness/benchmark.ts";
import { machine } from "./machine.ts";
import { store } from "./store.ts";

export const BENCHMARKS: readonly Benchmark[] = [machine, store, engine, burst, fanOut, catchUp];
