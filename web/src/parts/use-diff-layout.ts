/** Whether diffs are shown side by side or as one column: chosen once, kept in this browser, the same everywhere. */
import { useSyncExternalStore } from "react";
import { keep, readKept } from "../browser-storage.ts";

export type DiffLayout = "unified" | "split";

const NAME = "interlingua-diff-layout";
const CHANGED = "interlingua-diff-layout";

export function useDiffLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const layout = useSyncExternalStore(subscribe, readLayout, () => "unified" as const);
  return [layout, storeLayout];
}

function readLayout(): DiffLayout {
  return readKept(NAME) === "split" ? "split" : "unified";
}

function storeLayout(layout: DiffLayout): void {
  keep(NAME, layout);
  dispatchEvent(new Event(CHANGED));
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  addEventListener("storage", listener);
  return () => {
    removeEventListener(CHANGED, listener);
    removeEventListener("storage", listener);
  };
}
