/** A line of code: its colours, and the words in it that changed. */
import type { TextRange } from "./changed-words.ts";
import type { CodeToken } from "./highlight-code.ts";
import { PlainText } from "./plain-text.tsx";
import { VisibleText } from "./visible-text.tsx";

/** A longer line is not laid out whole. */
const LONG_LINE = 2_000;

interface CodeLineProps {
  text: string;
  tokens?: readonly CodeToken[];
  changed?: readonly TextRange[];
}

export function CodeLine({ text, tokens, changed = [] }: CodeLineProps) {
  if (text.length > LONG_LINE) return <PlainText text={text} />;
  if (!tokens && changed.length === 0) return <VisibleText text={text} />;
  const coloured = ({ start, end, className }: Piece) =>
    className === "" ? (
      <VisibleText key={start} text={text.slice(start, end)} />
    ) : (
      <span key={start} className={className}>
        <VisibleText text={text.slice(start, end)} />
      </span>
    );
  return together(pieces(text, tokens, changed)).map((group) =>
    group[0]!.isChanged ? (
      <mark key={`changed ${group[0]!.start}`} className="word-changed">
        {group.map(coloured)}
      </mark>
    ) : (
      group.map(coloured)
    ),
  );
}

/** Pieces that follow one another and all changed, or did not. */
function together(all: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of all) {
    const last = groups.at(-1);
    if (last?.at(-1)?.isChanged === piece.isChanged) last?.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

interface Piece {
  start: number;
  end: number;
  className: string;
  isChanged: boolean;
}

/** Cut wherever a colour or a change begins or ends. */
function pieces(text: string, tokens: readonly CodeToken[] = [], changed: readonly TextRange[]): Piece[] {
  const cuts = new Set([0, text.length]);
  const colours: { start: number; end: number; className: string }[] = [];
  let at = 0;
  for (const token of tokens) {
    colours.push({ start: at, end: at + token.text.length, className: token.className });
    at += token.text.length;
    cuts.add(Math.min(at, text.length));
  }
  for (const [start, end] of changed) cuts.add(start).add(end);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, index) => ({
    start,
    end: places[index + 1]!,
    className: colours.find((colour) => start >= colour.start && start < colour.end)?.className ?? "",
    isChanged: changed.some(([from, to]) => start >= from && start < to),
  }));
}
