/** A button that says what is chosen, and below it a window to choose something else in. */
import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { classNames } from "./class-names.ts";
import { PopoverWindow } from "./popover-window.tsx";

interface PickerProps extends Pick<ComponentProps<typeof PopoverWindow>, "look" | "onOpenAutoFocus"> {
  icon: ReactNode;
  /** What is chosen among: `Agent`. */
  name: string;
  /** What the window is called, where that is something else. */
  label?: string;
  chosen: string;
  title?: string;
  /** Where the focus goes afterwards. */
  onClosed: () => void;
  /** The looks of the button, and the size of the window. */
  className: string;
  windowClass?: string;
  children: ReactNode | ((close: () => void) => ReactNode);
}

export function Picker(props: PickerProps) {
  const {
    icon,
    name,
    label = name,
    chosen,
    title,
    onClosed,
    className,
    windowClass,
    children,
    ...rest
  } = props;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger
        title={title}
        className={classNames(
          "inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md hover:bg-hover data-[state=open]:bg-hover touch:h-10",
          className,
        )}
      >
        {icon}
        <span className="sr-only">{name}: </span>
        <span className="truncate">{chosen}</span>
        <ChevronDown aria-hidden="true" className="size-3 shrink-0 text-muted-foreground" />
      </Popover.Trigger>
      <PopoverWindow
        side="bottom"
        aria-label={label}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
        className={windowClass}
        {...rest}
      >
        {typeof children === "function" ? children(() => setIsOpen(false)) : children}
      </PopoverWindow>
    </Popover.Root>
  );
}
