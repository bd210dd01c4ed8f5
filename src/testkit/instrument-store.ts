/** A store with some of its methods replaced, for tests of what happens when storing goes wrong. */
import type { Store } from "../core/store.ts";

/** @example instrumentStore(store, { append: () => Promise.reject(new Error("disk full")) }) */
export function instrumentStore(inner: Store, replaced: Partial<Store>): Store {
  return new Proxy(inner, {
    get(store, name) {
      const own = replaced[name as keyof Store] ?? store[name as keyof Store];
      return typeof own === "function" ? own.bind(store) : own;
    },
  });
}
