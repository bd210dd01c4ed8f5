/** State that outlives its component: what somebody began to write is there again when they have looked elsewhere. */
import { useState } from "react";

/** Those that nobody came back to go first. */
const MAX_KEPT = 100;

/** Not in the tab's storage: it may be a secret. */
const kept = new Map<string, unknown>();

/** `name` is one in the whole page. What is set to undefined is forgotten. */
export function useKept<Value>(name: string, initial: () => Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as Value) : initial()));
  function set(next: Value) {
    setValue(next);
    kept.delete(name);
    if (next !== undefined) kept.set(name, next);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  }
  return [value, set];
}

/** Forgets every value whose name begins with `owner` and a space. */
export function forgetKept(owner: string): void {
  for (const name of kept.keys()) if (name.startsWith(`${owner} `)) kept.delete(name);
}
