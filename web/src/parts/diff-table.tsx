/** The lines of a diff, in one column or side by side, with colours and the words that changed. */
import { type ReactNode, useMemo } from "react";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { changedWords } from "./changed-words.ts";
import { languageOfPath } from "./code-languages.ts";
import { CodeLine } from "./code-line.tsx";
import { type DiffRow, diffRows } from "./diff-rows.ts";
import type { CodeToken } from "./highlight-code.ts";
import type { DiffLine } from "./parse-diff.ts";
import type { DiffLayout } from "./use-diff-layout.ts";
import { useHighlighted } from "./use-highlighted.ts";
import { VisibleText } from "./visible-text.tsx";

interface DiffTableProps {
  path: string;
  lines: readonly DiffLine[];
  layout: DiffLayout;
}

/** How many lines of a diff are shown at first, and how many more with each press. */
const STEP = 200;

export default function DiffTable({ path, lines, layout }: DiffTableProps) {
  const language = useMemo(() => languageOfPath(path), [path]);
  const changed = useMemo(() => changedWords(lines), [lines]);
  const tokens = useTokens(lines, language);
  const show = (index: number): ReactNode => (
    <CodeLine text={lines[index]!.text} tokens={tokens.get(index)} changed={changed.get(index)} />
  );
  const rows = useMemo(() => (layout === "split" ? diffRows(lines) : []), [lines, layout]);
  const columns = layout === "split" ? 4 : 3;
  const wrap = (button: ReactNode) => (
    <tr>
      <td colSpan={columns} className="p-1">
        {button}
      </td>
    </tr>
  );
  return (
    <table
      className={classNames(
        "w-full border-collapse font-mono text-[0.72rem] leading-[1.15rem]",
        layout === "split" && "table-fixed",
      )}
    >
      {layout === "split" ? (
        <>
          <colgroup>
            <col className="w-9" />
            <col />
            <col className="w-9" />
            <col />
          </colgroup>
          <tbody>
            <BoundedList items={rows} step={STEP} name="lines" wrap={wrap}>
              {(row, index) => <SplitRow key={index} row={row} lines={lines} show={show} />}
            </BoundedList>
          </tbody>
        </>
      ) : (
        <tbody>
          <BoundedList items={lines} step={STEP} name="lines" wrap={wrap}>
            {(line, index) => (
              <tr key={index} className={LOOKS[line.kind]}>
                <Numbered number={line.new ?? line.old} />
                <td className="w-px select-none pr-2 align-top opacity-80">{SIGNS[line.kind]}</td>
                <Code line={line}>{show(index)}</Code>
              </tr>
            )}
          </BoundedList>
        </tbody>
      )}
    </table>
  );
}

const LOOKS: Readonly<Record<DiffLine["kind"], string>> = {
  added: "diff-added bg-added",
  removed: "diff-removed bg-removed",
  same: "",
  hunk: "bg-muted text-muted-foreground",
};

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "−", same: " ", hunk: "⋯" };

interface SplitRowProps {
  row: DiffRow;
  lines: readonly DiffLine[];
  show: (index: number) => ReactNode;
}

function SplitRow({ row, lines, show }: SplitRowProps) {
  const old = row.old === undefined ? undefined : lines[row.old]!;
  const fresh = row.new === undefined ? undefined : lines[row.new]!;
  if (old?.kind === "hunk")
    return (
      <tr className={LOOKS.hunk}>
        <td className="select-none pr-2 pl-2 text-right">⋯</td>
        <td colSpan={3} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          <VisibleText text={old.text} />
        </td>
      </tr>
    );
  return (
    <tr>
      <Numbered number={old?.old} look={old ? LOOKS[old.kind] : "bg-muted"} />
      <Code line={old} look={classNames("border-r", old ? LOOKS[old.kind] : "bg-muted")}>
        {row.old !== undefined && show(row.old)}
      </Code>
      <Numbered number={fresh?.new} look={fresh ? LOOKS[fresh.kind] : "bg-muted"} />
      <Code line={fresh} look={fresh ? LOOKS[fresh.kind] : "bg-muted"}>
        {row.new !== undefined && show(row.new)}
      </Code>
    </tr>
  );
}

function Numbered({ number, look = "" }: { number: number | undefined; look?: string }) {
  return (
    <td
      className={classNames(
        "w-px select-none whitespace-nowrap pr-2 pl-2.5 text-right align-top text-muted-foreground/80 tabular-nums",
        look,
      )}
    >
      {number ?? ""}
    </td>
  );
}

function Code({
  line,
  look = "",
  children,
}: {
  line: DiffLine | undefined;
  look?: string;
  children: ReactNode;
}) {
  return (
    <td
      className={classNames(
        "whitespace-pre-wrap pr-3 align-top [overflow-wrap:anywhere] [unicode-bidi:isolate]",
        (line === undefined || line.text === "") && "h-[1.15rem]",
        look,
      )}
    >
      {children}
    </td>
  );
}

/** Colours by the line's place. Both sides are read as one text each, so that what spans lines has its colour. */
function useTokens(
  lines: readonly DiffLine[],
  language: string | undefined,
): ReadonlyMap<number, CodeToken[]> {
  const { before, after } = useMemo(() => sidesOf(lines), [lines]);
  const old = useHighlighted(before.text, language);
  const fresh = useHighlighted(after.text, language);
  return useMemo(() => {
    const tokens = new Map<number, CodeToken[]>();
    for (const [line, index] of before.places.entries()) if (old?.[line]) tokens.set(index, old[line]);
    for (const [line, index] of after.places.entries()) if (fresh?.[line]) tokens.set(index, fresh[line]);
    return tokens;
  }, [before, after, old, fresh]);
}

interface Side {
  text: string;
  /** By the line of the text: its place among the lines of the diff. */
  places: number[];
}

function sidesOf(lines: readonly DiffLine[]): { before: Side; after: Side } {
  const side = (without: DiffLine["kind"]): Side => {
    const places = lines.flatMap(({ kind }, index) => (kind === without || kind === "hunk" ? [] : [index]));
    return { text: places.map((index) => lines[index]!.text).join("\n"), places };
  };
  return { before: side("added"), after: side("removed") };
}
