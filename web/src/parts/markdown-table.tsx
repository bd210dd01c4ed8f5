/** A table in a text: it scrolls by itself where it is wide, and can be copied into a spreadsheet. */
import { type ReactNode, useRef } from "react";
import { CopyButton } from "../ui/copy-button.tsx";

export function MarkdownTable({ children }: { children?: ReactNode }) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="group/table relative">
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        className="max-h-[28rem] overflow-auto rounded-md border"
      >
        <table ref={table} className="w-full">
          {children}
        </table>
      </div>
      <CopyButton
        name="Table"
        text={() => tableText(table.current)}
        className="absolute top-1.5 right-1.5 bg-muted p-1 text-muted-foreground pointer-fine:opacity-0 focus-visible:opacity-100 group-hover/table:opacity-100"
      />
    </div>
  );
}

/** One line per row, with tabs between the cells. */
function tableText(table: HTMLTableElement | null): string {
  return [...(table?.rows ?? [])]
    .map((row) => [...row.cells].map((cell) => (cell.textContent ?? "").replace(/\s+/g, " ")).join("\t"))
    .join("\n");
}
