/** Random logs on PostgreSQL, more of them than the contract tries. */
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Store } from "../../src/core/store.ts";
import { logProperty } from "../../src/store/contract/log-property.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { startPostgres, type TestPostgres } from "../postgres/start-postgres.ts";

const RUNS = 25;

let postgres: TestPostgres;
let url: string;
const stores: Store[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
});

afterAll(() => postgres[Symbol.asyncDispose]());

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

logProperty(async () => {
  await postgres.empty(url);
  const openAgain = async () => {
    const store = await openPostgres({ url, sealDelayMs: 0 });
    stores.push(store);
    return store;
  };
  return {
    store: await openAgain(),
    reopen: async () => {
      await stores.at(-1)?.close();
      return openAgain();
    },
  };
}, RUNS);
