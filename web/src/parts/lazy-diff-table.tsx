/** The lines of a diff; what compares and colours them comes when the first one is shown. */
import { lazy, Suspense } from "react";
import type { DiffTableProps } from "./diff-table.tsx";

const LoadedTable = lazy(() => import("./diff-table.tsx").then(({ DiffTable }) => ({ default: DiffTable })));

export function DiffTable(props: DiffTableProps) {
  return (
    <Suspense fallback={<p className="px-3 py-2 text-muted-foreground text-xs">Loading the changes</p>}>
      <LoadedTable {...props} />
    </Suspense>
  );
}
