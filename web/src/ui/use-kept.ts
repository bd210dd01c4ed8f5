/** State that outlives its component: what somebody began to write, opened or closed is there again when the component is. */
import { useState } from "react";

/** Drafts of the whole page. Not in the tab's storage: a draft may be a secret. */
const drafts = new Map<string, unknown>();

/** The drafts that nobody came back to go first. */
const MAX_DRAFTS = 100;

/** `name` is unique in `within`. A draft that is set to undefined is forgotten. */
export function useKept<Value>(
  name: string,
  initial: () => Value,
  within = drafts,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => (within.has(name) ? (within.get(name) as Value) : initial()));
  function set(next: Value) {
    setValue(next);
    within.delete(name);
    if (next !== undefined) within.set(name, next);
    const [oldest] = drafts.keys();
    if (drafts.size > MAX_DRAFTS && oldest !== undefined) drafts.delete(oldest);
  }
  return [value, set];
}

/** Forgets every draft whose name begins with `owner` and a space. */
export function forgetKept(owner: string): void {
  for (const name of drafts.keys()) if (name.startsWith(`${owner} `)) drafts.delete(name);
}
