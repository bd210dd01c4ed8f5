/** What people allowed in a session for more than once: a glyph with their number, and the list behind it. */
import { ShieldCheck } from "lucide-react";
import { Popover } from "radix-ui";
import type { SessionDetails } from "../api/types.ts";
import { lastingAnswers } from "../asks/lasting-answers.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PopoverWindow } from "../ui/popover-window.tsx";
import { AllowedChip } from "./allowed-chip.tsx";

const AllowedList = lazyPart(() => import("./allowed-list.tsx"));

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
      <PopoverWindow look="list" aria-label="Always allowed here">
        <AlwaysAllowedList session={session} />
      </PopoverWindow>
    </Popover.Root>
  );
}

/** For those who may not set anything. */
export function AllowedNote({ session }: AlwaysAllowedProps) {
  return (
    <>
      <AllowedChip session={session} />
      <AlwaysAllowedButton session={session} />
    </>
  );
}

export function AlwaysAllowedList({ session }: AlwaysAllowedProps) {
  const answers = lastingAnswers(session);
  if (answers.length === 0) return null;
  return <AllowedList answers={answers} cwd={session?.cwd} />;
}
