/** How wide the side panel is, as its person left it. In pixels, within what leaves room for the conversation. */
import { useState } from "react";

const KEY = "interlingua.panel-width";
const DEFAULT_WIDTH = 416;

export const MIN_WIDTH = 320;
/** What the list of sessions and the conversation keep. */
const OTHERS_WIDTH = 272 + 400;

export function usePanelWidth(): readonly [number, (width: number) => void] {
  const [width, setWidth] = useState(readWidth);
  return [
    width,
    (wanted) => {
      const bounded = Math.round(Math.min(Math.max(wanted, MIN_WIDTH), maxWidth()));
      setWidth(bounded);
      try {
        localStorage.setItem(KEY, String(bounded));
      } catch {
        // It is as wide as usual the next time.
      }
    },
  ];
}

export function maxWidth(): number {
  return Math.max(MIN_WIDTH, innerWidth - OTHERS_WIDTH);
}

function readWidth(): number {
  try {
    const kept = Number(localStorage.getItem(KEY));
    return kept >= MIN_WIDTH ? Math.min(kept, maxWidth()) : DEFAULT_WIDTH;
  } catch {
    return DEFAULT_WIDTH;
  }
}
