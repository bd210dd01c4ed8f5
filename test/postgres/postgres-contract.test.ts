/** The store on PostgreSQL is held to the contract of every store. */
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Store } from "../../src/core/store.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { storeContract } from "../../src/store/store-contract.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

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

const open = async () => {
  await postgres.empty(url);
  const openAgain = async () => {
    const store = await openPostgres({ url });
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
};

/** `npm run test:cluster` tries more. */
const LOG_RUNS = 5;

storeContract("postgres", open, LOG_RUNS);
