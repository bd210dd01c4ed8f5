/** What people allowed in a session for more than once: a glyph with their number, and the list behind it. */
import { ShieldCheck } from "lucide-react";
import { Popover } from "radix-ui";
import { lazy, Suspense } from "react";
import type { SessionDetails } from "../api/types.ts";
import { lastingAnswers } from "../asks/lasting-answers.ts";

const AllowedList = lazy(() =>
  import("./allowed-list.tsx").then((module) => ({ default: module.AllowedList })),
);

interface AlwaysAllowedProps {
  session: SessionDetails | undefined;
}

/** Nothing where nothing was. */
export function AlwaysAllowedButton({ session }: AlwaysAllowedProps) {
  const { length } = lastingAnswers(session);
  if (length === 0) return null;
  return (
    <Popover.Root>
      <Popover.Trigger
        data-part="always-allowed"
        title="Always allowed here"
        className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-muted-foreground text-xs tabular-nums hover:bg-hover hover:text-foreground data-[state=open]:bg-hover touch:h-10 touch:min-w-10 touch:justify-center"
      >
        <span className="sr-only">Always allowed here: </span>
        <ShieldCheck aria-hidden="true" className="size-3.5" />
        {length}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Always allowed here"
          className="z-50 max-h-(--radix-popover-content-available-height) w-[min(20rem,calc(100vw-1.5rem))] overflow-y-auto rounded-xl bg-raised p-1.5 shadow-pop animate-rise focus:outline-none"
        >
          <AlwaysAllowedList session={session} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

export function AlwaysAllowedList({ session }: AlwaysAllowedProps) {
  const answers = lastingAnswers(session);
  if (answers.length === 0) return null;
  return (
    <Suspense>
      <AllowedList answers={answers} cwd={session?.cwd} />
    </Suspense>
  );
}
