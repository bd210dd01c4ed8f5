/** The window that a button opens next to itself: its place, its frame and its looks. What is inside is not its business. */
import { Popover } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const LOOKS = {
  /** Rows to choose from or to read, as many as there are. */
  list: "max-h-(--radix-popover-content-available-height) w-[min(20rem,calc(100vw-1.5rem))] overflow-y-auto rounded-xl p-1.5 focus:outline-none",
  /** A field above a list that scrolls by itself. */
  search: "flex flex-col overflow-hidden rounded-xl focus:outline-none",
  /** Names below a heading. */
  names: "max-h-[60dvh] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg p-2 focus:outline-none",
  /** A few words or figures. */
  note: "rounded-lg p-3 text-xs leading-5",
};

interface PopoverWindowProps extends ComponentProps<typeof Popover.Content> {
  look: keyof typeof LOOKS;
  /** Its name, for those who do not see the button. */
  "aria-label": string;
}

/** Above the button, unless told otherwise. Stands inside of a `Popover.Root`. */
export function PopoverWindow({ look, className, ...props }: PopoverWindowProps) {
  return (
    <Popover.Portal>
      <Popover.Content
        side="top"
        align="start"
        sideOffset={6}
        collisionPadding={12}
        className={classNames("z-50 animate-rise bg-raised shadow-pop", LOOKS[look], className)}
        {...props}
      />
    </Popover.Portal>
  );
}
