/** Plain text of any length: the page holds a bounded part of it, and more on request. */
import { MoreButton } from "../ui/bounded-list.tsx";
import { formatCount } from "../ui/format.ts";
import type { TextPiece } from "./text-pieces.ts";
import { useTextPieces } from "./use-text-pieces.ts";
import { VisibleText } from "./visible-text.tsx";

interface PlainTextProps {
  text: string;
}

/** Pieces shown at first, and more with each press. */
const STEP = 3;

export function PlainText({ text }: PlainTextProps) {
  const { head, tail, hidden, showMore } = useTextPieces(text, STEP);
  const show = (piece: TextPiece) => (
    <span key={piece.start} className="whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]">
      <VisibleText text={piece.text} />
    </span>
  );
  return (
    <>
      {head.map(show)}
      {hidden > 0 && <HiddenText hidden={hidden} onMore={showMore} />}
      {tail.map(show)}
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
