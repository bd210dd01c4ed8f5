/** Whether diffs are shown side by side or as one column: chosen once, kept in this browser, the same everywhere. */
import { useSyncExternalStore } from "react";

export type DiffLayout = "unified" | "split";

const NAME = "interlingua-diff-layout";
const CHANGED = "interlingua-diff-layout";

export function useDiffLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const layout = useSyncExternalStore(subscribe, readLayout, () => "unified" as const);
  return [layout, storeLayout];
}

function readLayout(): DiffLayout {
  try {
    return localStorage.getItem(NAME) === "split" ? "split" : "unified";
  } catch {
    return "unified";
  }
}

function storeLayout(layout: DiffLayout): void {
  try {
    localStorage.setItem(NAME, layout);
  } catch {
    // Where nothing is kept, it stays as it is.
  }
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
