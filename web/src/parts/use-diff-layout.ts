/**
 * Whether diffs are shown side by side or as one column. The choice is kept in this browser and is the same everywhere.
 * A narrow page shows one column, whatever was chosen.
 */
import { useSyncExternalStore } from "react";
import { keep, readKept } from "../browser-storage.ts";
import { useMedia } from "../ui/use-media.ts";

export type DiffLayout = "unified" | "split";

const NAME = "interlingua-diff-layout";
const CHANGED = "interlingua-diff-layout";

/** Room for two columns of code. */
const WIDE = "(min-width: 768px)";

export interface DiffLayoutState {
  /** The layout to show. */
  readonly layout: DiffLayout;
  /** Whether there is a choice. */
  readonly canSplit: boolean;
  readonly setLayout: (layout: DiffLayout) => void;
}

export function useDiffLayout(): DiffLayoutState {
  const chosen = useSyncExternalStore(subscribe, readLayout, () => "unified" as const);
  const canSplit = useMedia(WIDE);
  return { layout: canSplit ? chosen : "unified", canSplit, setLayout: storeLayout };
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
