/** All that an adapter is held to, by name. */
import type { AdapterCheck } from "../adapter-contract.ts";
import { adapterOptions } from "./adapter-options.ts";
import { asks } from "./asks.ts";
import { configure } from "./configure.ts";
import { content } from "./content.ts";
import { extensions } from "./extensions.ts";
import { identity } from "./identity.ts";
import { interrupt } from "./interrupt.ts";
import { lifecycle } from "./lifecycle.ts";
import { memory } from "./memory.ts";
import { steering } from "./steering.ts";
import { tasks } from "./tasks.ts";

/**
 * Plain functions that throw, for authors who do not test with Vitest.
 *
 * @example for (const [name, check] of Object.entries(ADAPTER_CHECKS)) await check(contract);
 */
export const ADAPTER_CHECKS: Readonly<Record<string, AdapterCheck>> = {
  ...identity,
  ...lifecycle,
  ...adapterOptions,
  ...extensions,
  ...interrupt,
  ...configure,
  ...asks,
  ...steering,
  ...content,
  ...memory,
  ...tasks,
};
