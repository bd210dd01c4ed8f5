/** The lines of a diff; what compares and colours them comes when the first one is shown. */
import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";
import type { DiffTableProps } from "./diff-table.tsx";

const LoadedTable = lazyPart(
  () => import("./diff-table.tsx").then(({ DiffTable }) => ({ default: DiffTable })),
  NotLoaded,
);

export function DiffTable(props: DiffTableProps) {
  return (
    <Suspense fallback={<p className="px-3 py-2 text-muted-foreground text-xs">Loading the changes</p>}>
      <LoadedTable {...props} />
    </Suspense>
  );
}
