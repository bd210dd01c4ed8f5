/** What can be asked of a store that somebody else writes. */
import type { Store } from "../core/store.ts";

export type ReadableStore = Omit<Store, "append" | "deleteSession">;
