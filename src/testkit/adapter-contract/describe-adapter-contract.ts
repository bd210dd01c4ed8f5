/** The contract every adapter is held to, as a suite of Vitest. */
import { describe, test } from "vitest";
import type { AdapterContract } from "./adapter-contract.ts";
import { ADAPTER_CHECKS } from "./checks/index.ts";
import { UNIFIED_CHECKS } from "./unified/unified-checks.ts";

/**
 * One test for each check. They fail where behaviour and declared capabilities differ, either way: what is declared
 * and does not work, and what works and is not declared. Then the same agent by the guide's port, with its own lists of tests.
 *
 * @example
 * describeAdapterContract({
 *   name: "my-agent",
 *   createAdapter: () => createMyAdapter({ processHost }),
 *   connectOptions: () => ({ cwd }),
 *   failure: () => ({ options: { cwd: "/does/not/exist" } }),
 *   adapterOptions: { verbose: true },
 *   scenarios,
 * });
 */
export function describeAdapterContract(contract: AdapterContract): void {
  describe(`${contract.name} keeps the contract of adapters`, () => {
    for (const [name, check] of Object.entries(ADAPTER_CHECKS)) test(name, () => check(contract));
  });
  describe(`${contract.name} by UnifiedMessages`, () => {
    for (const [name, check] of Object.entries(UNIFIED_CHECKS)) test(name, () => check(contract));
  });
}
