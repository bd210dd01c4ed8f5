/** A list of any length of which a bounded part is in the page; more is added in steps. */
import { type ReactNode, useState } from "react";
import { classNames } from "./class-names.ts";

interface BoundedListProps<Item> {
  items: readonly Item[];
  /** How many are shown at first, and how many more with each press. */
  step: number;
  /** What the items are called, where there are several. */
  name: string;
  children: (item: Item, index: number) => ReactNode;
  /** The element around the button, if the list may only hold certain elements. */
  wrap?: (button: ReactNode) => ReactNode;
}

export function BoundedList<Item>({ items, step, name, children, wrap }: BoundedListProps<Item>) {
  const [most, setMost] = useState(step);
  const rest = items.length - most;
  const button = rest > 0 && (
    <MoreButton onClick={() => setMost(most + step)}>
      Show {Math.min(step, rest).toLocaleString()} more of {rest.toLocaleString()} {name}
    </MoreButton>
  );
  return (
    <>
      {(rest > 0 ? items.slice(0, most) : items).map(children)}
      {button && wrap ? wrap(button) : button}
    </>
  );
}

interface MoreButtonProps {
  onClick: () => void;
  children: ReactNode;
  className?: string;
}

export function MoreButton({ onClick, children, className }: MoreButtonProps) {
  return (
    <button
      type="button"
      data-more
      onClick={onClick}
      className={classNames(
        "block w-full rounded-md border border-dashed px-2 py-1 text-center font-sans text-muted-foreground text-xs hover:bg-hover hover:text-foreground touch:min-h-10",
        className,
      )}
    >
      {children}
    </button>
  );
}
