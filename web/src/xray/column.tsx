import type { ReactNode } from "react";

interface ColumnProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One side of an entry. */
export function Column({ title, aside, children }: ColumnProps) {
  return (
    <section aria-label={title} className="flex @4xl:min-h-0 min-w-0 flex-col rounded-lg border bg-raised">
      <div className="flex min-h-9 shrink-0 items-center gap-2 border-b px-3 max-md:py-1">
        <h3 className="font-medium text-xs">{title}</h3>
        <span className="ml-auto min-w-0">{aside}</span>
      </div>
      <div className="@4xl:min-h-0 flex-1 space-y-3 @4xl:overflow-y-auto p-3">{children}</div>
    </section>
  );
}
