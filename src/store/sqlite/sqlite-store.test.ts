import { afterEach } from "vitest";
import type { Store } from "../../core/store.ts";
import { openStore } from "../open-store.ts";
import { storeContract } from "../store-contract.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  removeTemporaryDirectories();
});

storeContract("sqlite", async () => {
  const directory = temporaryDirectory();
  const open = async () => {
    const store = await openStore({ directory });
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    reopen: async () => {
      await stores.at(-1)?.close();
      return open();
    },
  };
});
