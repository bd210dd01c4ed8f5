/** What this browser, or this tab, keeps. A browser may keep nothing: then nothing is found, and nothing is lost but that. */

export function readKept(key: string, storage = () => localStorage): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where nothing is kept, or it is not JSON. */
export function readKeptJson(key: string, storage?: () => Storage): unknown {
  try {
    return JSON.parse(readKept(key, storage) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined is kept no more. */
export function keep(key: string, value: string | undefined, storage = () => localStorage): void {
  try {
    if (value === undefined) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // It is as it was at first the next time.
  }
}
