/** A table in a text: it scrolls by itself where it is wide, and can be copied into a spreadsheet. */
import { type ReactNode, useRef } from "react";
import { CopyButton } from "../ui/copy-button.tsx";

/** A shadow on the edge, which the end of the table covers: it goes with the content. */
const MORE_TO_THE_RIGHT = {
  background:
    "linear-gradient(to left, var(--background) 40%, transparent) right / 28px 100% no-repeat local, " +
    "linear-gradient(to left, color-mix(in srgb, var(--foreground) 22%, transparent), transparent) right / 14px 100% no-repeat scroll",
};

export function MarkdownTable({ children }: { children?: ReactNode }) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="group/table relative touch:overflow-hidden touch:rounded-md touch:border">
      {/* A finger gets a bar above the headings; a mouse a button on the edge, off their words. */}
      <div className="flex items-center justify-between bg-muted pl-3 text-2xs text-muted-foreground touch:border-b pointer-fine:contents">
        <span className="pointer-fine:hidden">Table</span>
        <CopyButton
          name="Table"
          text={() => tableText(table.current)}
          className="focus-visible:opacity-100 group-hover/table:opacity-100 pointer-fine:absolute pointer-fine:-top-5 pointer-fine:right-2 pointer-fine:z-10 pointer-fine:border pointer-fine:bg-raised pointer-fine:p-1.5 pointer-fine:opacity-0"
        />
      </div>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        style={MORE_TO_THE_RIGHT}
        className="max-h-[28rem] overflow-auto pointer-fine:rounded-md pointer-fine:border"
      >
        <table ref={table} className="w-full">
          {children}
        </table>
      </div>
    </div>
  );
}

/** One line per row, with tabs between the cells. */
function tableText(table: HTMLTableElement | null): string {
  return [...(table?.rows ?? [])]
    .map((row) => [...row.cells].map((cell) => (cell.textContent ?? "").replace(/\s+/g, " ")).join("\t"))
    .join("\n");
}
