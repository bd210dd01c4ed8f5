/** Loaded before a daemon: makes it one of a later release, which writes and reads an event format more. */
import { registerHooks } from "node:module";

/** What differs in it, by file. */
const CHANGES: Readonly<Record<string, (source: string) => string>> = {
  "/src/core/event.ts": (source) =>
    source.replace(/EVENT_FORMAT = (\d+)/, (_, format) => `EVENT_FORMAT = ${Number(format) + 1}`),
  // Its events look the same.
  "/src/store/upcast.ts": (source) =>
    source.replace(
      /(export const UPCASTERS\b[^=]*= \[)/,
      "$1{ from: EVENT_FORMAT - 1, upcast: (event) => event },",
    ),
};

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const change = Object.entries(CHANGES).find(([file]) => url.endsWith(file))?.[1];
    if (!change) return loaded;
    const before = Buffer.from(loaded.source as Uint8Array).toString();
    const source = change(before);
    if (source === before) throw new Error(`${url} is not what it was: it cannot be changed`);
    return { ...loaded, source };
  },
});
