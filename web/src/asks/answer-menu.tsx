/** Answers that say more than a word: each with what it covers, before it is chosen. */
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import type { AskOption } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { Menu } from "../ui/menu.tsx";
import { optionReach } from "./option-reach.ts";

interface AnswerMenuProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  options: readonly AskOption[];
  /** What the card shows: what an option repeats of it is left out. */
  about: { command?: string; cwd?: string };
  isDanger?: boolean;
  onChoose: (option: AskOption) => void;
  /** What opens it. */
  trigger: ReactNode;
  /** Further items, above the options. */
  children?: ReactNode;
}

export function AnswerMenu({ isOpen, onOpenChange, trigger, options, children, ...rest }: AnswerMenuProps) {
  return (
    <Menu
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      align="start"
      loop
      onCloseAutoFocus={keepInField}
      className="w-max max-w-[min(26rem,calc(100vw-1rem))]"
    >
      {children}
      <BoundedList items={options} step={30} name="options">
        {(option) => <OptionItem key={option.id} option={option} {...rest} />}
      </BoundedList>
    </Menu>
  );
}

/** An item may have opened a field, or a key since, or led to what comes next: then the focus stays there. */
function keepInField(event: Event): void {
  if (document.activeElement?.matches("[data-ask] textarea, [data-ask], #composer")) event.preventDefault();
}

/** Covers that are shown of one option; the rest is counted. */
const MAX_COVERS = 6;

interface OptionItemProps extends Pick<AnswerMenuProps, "about" | "isDanger" | "onChoose"> {
  option: AskOption;
}

function OptionItem({ option, about, isDanger, onChoose }: OptionItemProps) {
  const { label, said, covers, notes } = optionReach(option, about);
  return (
    <AnswerItem isDanger={isDanger} onSelect={() => onChoose(option)} option={option.id} title={said}>
      <span className="block font-medium">{clip(label)}</span>
      {covers.length > 0 && (
        <span className="mt-0.5 flex flex-wrap gap-1">
          {covers.slice(0, MAX_COVERS).map((cover, index) => (
            <code
              // biome-ignore lint/suspicious/noArrayIndexKey: an agent may name one twice, and they never move
              key={index}
              className="rounded bg-muted px-1 font-mono text-[0.72rem] text-foreground leading-5 [overflow-wrap:anywhere]"
            >
              {clip(cover)}
            </code>
          ))}
          {covers.length > MAX_COVERS && (
            <span className="text-2xs text-muted-foreground leading-5">
              and {covers.length - MAX_COVERS} more
            </span>
          )}
        </span>
      )}
      {notes.map((note) => (
        <span key={note} className="block text-2xs text-muted-foreground [overflow-wrap:anywhere]">
          {clip(note)}
        </span>
      ))}
    </AnswerItem>
  );
}

interface AnswerItemProps {
  children: ReactNode;
  isDanger?: boolean;
  onSelect: () => void;
  /** Its id, if it is one of the agent's options. */
  option?: string;
  title?: string;
}

export function AnswerItem({ children, isDanger, onSelect, option, title }: AnswerItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      data-option={option}
      title={title && clip(title)}
      className={classNames(
        "cursor-default select-none rounded-md px-2 py-1.5 text-[0.8125rem] outline-none data-highlighted:bg-hover touch:py-2.5",
        isDanger && "[&>span:first-child]:text-danger-text",
      )}
    >
      {children}
    </DropdownMenu.Item>
  );
}
