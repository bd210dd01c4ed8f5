/** The visible pieces of a text: its beginning, its end, and as much in between as was requested. */
import { useRef, useState } from "react";
import { cutText, type TextPiece, type TextPieces } from "./text-pieces.ts";

export interface ShownPieces {
  head: readonly TextPiece[];
  tail: readonly TextPiece[];
  /** How many characters are not shown. */
  hidden: number;
  showMore: () => void;
}

/** How many pieces of its end are shown. */
const TAIL = 2;

/** `step` is how many pieces of its beginning are shown, and how many more with each call of `showMore`. */
export function useTextPieces(text: string, step: number): ShownPieces {
  const cut = useRef<TextPieces>(undefined);
  const [most, setMost] = useState(step);
  cut.current = cutText(text, cut.current);
  const { pieces } = cut.current;
  const hasMiddle = pieces.length > most + TAIL;
  const head = hasMiddle ? pieces.slice(0, most) : pieces;
  const tail = hasMiddle ? pieces.slice(-TAIL) : [];
  const shown = [...head, ...tail].reduce((sum, piece) => sum + piece.text.length, 0);
  return { head, tail, hidden: text.length - shown, showMore: () => setMost(most + step) };
}
