/** Holds the place of what is being loaded, so that nothing moves when it is there. */
import { classNames } from "./class-names.ts";

/** `className` gives the height of what will be there. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div role="status" aria-label="Loading" className={classNames("flex flex-col gap-3", className)}>
      <span className="h-8 w-2/3 animate-breathe rounded-md bg-muted" />
      <span className="h-8 w-full animate-breathe rounded-md bg-muted" />
      <span className="min-h-8 w-full flex-1 animate-breathe rounded-md bg-muted" />
    </div>
  );
}
