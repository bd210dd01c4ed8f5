/** A text in which what nobody would see is named. */
import { hasHidden, visiblePieces } from "./hidden-characters.ts";

/** More are named without a look of their own. */
const MAX_MARKS = 200;

export function VisibleText({ text }: { text: string }) {
  if (!hasHidden(text)) return text;
  const pieces = visiblePieces(text);
  if (pieces.length > MAX_MARKS)
    return pieces.map((piece) => (piece.isHidden ? `[${piece.text}]` : piece.text)).join("");
  return pieces.map((piece, index) =>
    piece.isHidden ? (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
        key={index}
        data-hidden-character
        title="A character that is not visible"
        className="mx-px rounded-sm bg-waiting/25 px-1 font-mono text-[0.85em] text-waiting-text [unicode-bidi:isolate]"
      >
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}
