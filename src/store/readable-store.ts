/** The part of a store that can be read while another process writes. */
import type { Store } from "../core/store.ts";

export type ReadableStore = Omit<Store, "append" | "moveKey" | "deleteSession">;
