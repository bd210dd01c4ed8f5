/**
 * A menu below a button. Not modal: Radix would put style elements into the page, which the Content-Security-Policy
 * refuses.
 */
import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

const ITEM =
  "flex min-h-7.5 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 text-[0.8125rem] outline-none data-disabled:opacity-45 data-highlighted:bg-hover touch:min-h-10 [&_svg]:size-3.5 [&_svg]:shrink-0";

interface MenuProps extends ComponentProps<typeof DropdownMenu.Content> {
  /** The button that opens it. */
  trigger: ReactNode;
  /** Where more than the button opens it. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** With `onCloseAutoFocus` the focus may go elsewhere than back to its button. */
export function Menu({ trigger, isOpen, onOpenChange, className, ...rest }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className={classNames(
            "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-lg bg-raised p-1 shadow-pop animate-rise",
            className,
          )}
          {...rest}
        />
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon: ReactNode;
  name: string;
  isDanger?: boolean;
  onSelect: () => void;
}

export function MenuItem({ icon, name, isDanger, onSelect }: MenuItemProps) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={classNames(ITEM, isDanger && "text-danger-text")}>
      {icon}
      {name}
    </DropdownMenu.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; name: string }[];
  onChoose: (value: Value) => void;
}

/** One of several. */
export function MenuChoices<Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: MenuChoicesProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChoose(chosen as Value)}>
      <DropdownMenu.Label className="px-2 pt-1.5 pb-1 font-medium text-2xs text-muted-foreground">
        {label}
      </DropdownMenu.Label>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          className={classNames(ITEM, "pl-7.5")}
        >
          <DropdownMenu.ItemIndicator className="-ml-5.5 grid w-3.5 place-items-center">
            <Check />
          </DropdownMenu.ItemIndicator>
          {choice.name}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-border" />;
}
