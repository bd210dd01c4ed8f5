/** The contract of the Store port as tests. Every implementation runs it. */
import { describe } from "vitest";
import type { Store } from "../core/store.ts";
import { appendContract } from "./contract/append-contract.ts";
import { listContract } from "./contract/list-contract.ts";
import { logProperty } from "./contract/log-property.ts";
import { memoryContract } from "./contract/memory-contract.ts";
import { onlyContract } from "./contract/only-contract.ts";
import { peopleContract } from "./contract/people-contract.ts";
import { projectionContract } from "./contract/projection-contract.ts";
import { readContract } from "./contract/read-contract.ts";
import { searchContract } from "./contract/search-contract.ts";

export interface StoreUnderTest {
  /** Empty. */
  store: Store;
  /** Closes the store and opens what it left; absent when nothing outlives it. */
  reopen?(): Promise<Store>;
}

export type OpenStore = () => Promise<StoreUnderTest>;

/**
 * The caller closes the stores and removes what they left.
 *
 * @param logRuns How many random logs are tried.
 */
export function storeContract(name: string, open: OpenStore, logRuns?: number): void {
  describe(`the store contract: ${name}`, () => {
    appendContract(open);
    readContract(open);
    listContract(open);
    searchContract(open);
    onlyContract(open);
    projectionContract(open);
    memoryContract(open);
    peopleContract(open);
    logProperty(open, logRuns);
  });
}
