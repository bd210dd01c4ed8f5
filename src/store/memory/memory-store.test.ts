import { storeContract } from "../store-contract.ts";
import { MemoryStore } from "./memory-store.ts";

storeContract("memory", async () => ({ store: new MemoryStore() }));
