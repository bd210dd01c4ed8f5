/** How wide a panel is, as its person left it. In pixels, within its bounds. */
import { useState } from "react";
import { keep, readKept } from "../browser-storage.ts";

export interface PanelBounds {
  /** Where the width is kept in this browser. */
  key: string;
  usual: number;
  min: number;
  max: () => number;
}

/** What the list of sessions and the conversation keep. */
const OTHERS_WIDTH = 272 + 400;

export const SIDE_PANEL: PanelBounds = {
  key: "interlingua.panel-width",
  usual: 416,
  min: 320,
  max: () => Math.max(320, innerWidth - OTHERS_WIDTH),
};

export const SIDEBAR: PanelBounds = {
  key: "interlingua.sidebar-width",
  usual: 272,
  min: 220,
  max: () => 420,
};

export function usePanelWidth(bounds: PanelBounds): readonly [number, (width: number) => void] {
  const { key, min, max } = bounds;
  const [width, setWidth] = useState(() => readWidth(bounds));
  return [
    width,
    (wanted) => {
      const bounded = Math.round(Math.min(Math.max(wanted, min), max()));
      setWidth(bounded);
      keep(key, String(bounded));
    },
  ];
}

function readWidth({ key, usual, min, max }: PanelBounds): number {
  const kept = Number(readKept(key));
  return kept >= min ? Math.min(kept, max()) : usual;
}
