/** Plain text of any length: the page holds a bounded part of it, and more on request. */
import type { ReactNode } from "react";
import { MoreButton } from "../ui/bounded-list.tsx";
import { formatCount } from "../ui/format.ts";
import type { TextPiece } from "./text-pieces.ts";
import { useTextPieces } from "./use-text-pieces.ts";
import { VisibleText } from "./visible-text.tsx";

/** Pieces shown at first, and more with each press. */
const STEP = 3;

export function PlainText({ text }: { text: string }) {
  return (
    <TextPieces text={text} step={STEP}>
      {(piece) => (
        <span
          key={piece.start}
          className="whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]"
        >
          <VisibleText text={piece.text} />
        </span>
      )}
    </TextPieces>
  );
}

interface TextPiecesProps {
  text: string;
  step: number;
  children: (piece: TextPiece) => ReactNode;
}

/** The visible pieces of a text, and a button for the others in their place. */
export function TextPieces({ text, step, children }: TextPiecesProps) {
  const { head, tail, hidden, showMore } = useTextPieces(text, step);
  return (
    <>
      {head.map(children)}
      {hidden > 0 && <HiddenText hidden={hidden} onMore={showMore} />}
      {tail.map(children)}
    </>
  );
}

export function HiddenText({ hidden, onMore }: { hidden: number; onMore: () => void }) {
  return (
    <MoreButton onClick={onMore} className="my-2">
      Show more ({formatCount(hidden)} characters are not shown here)
    </MoreButton>
  );
}
