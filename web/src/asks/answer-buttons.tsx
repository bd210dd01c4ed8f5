/** The buttons that answer an ask, with the keys that press them. */
import { type ComponentProps, createContext, useContext } from "react";
import type { AskOption } from "../api/types.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";

interface Answering {
  /** Whether nothing can be answered now. */
  isLocked: boolean;
  /** Whether the keys work. */
  hasKeys: boolean;
}

const AnsweringContext = createContext<Answering>({ isLocked: true, hasKeys: false });

/**
 * The buttons in a line. On a phone they stand across the card, in reach of the thumb however long the card is (in a list of
 * cards they would cover what is asked), each as wide as its neighbours unless it has a line of its own. A button whose key
 * does not work keeps its width, and has its word in the middle.
 */
export function AnswerRow({ isLocked, hasKeys, ...props }: Answering & ComponentProps<"div">) {
  return (
    <AnsweringContext value={{ isLocked, hasKeys }}>
      <div
        {...props}
        className="pointer-fine:[&_button:has([data-hint=off])]:px-5.5 [&_[data-hint=off]]:hidden flex flex-wrap items-center gap-2 max-md:sticky in-[[role=dialog]]:static! max-md:bottom-0 max-md:z-10 max-md:-mx-3 max-md:-mb-3 max-md:*:grow max-md:*:basis-0 max-md:rounded-b-lg max-md:bg-waiting-soft max-md:px-3 max-md:pt-1.5 max-md:pb-3 touch:[&_button]:h-11"
      />
    </AnsweringContext>
  );
}

interface AnswerButtonProps extends ComponentProps<typeof Button> {
  option?: AskOption;
  /** The key that presses it. */
  hotkey?: string;
  /** Whether it has a line of its own on a phone. */
  isWide?: boolean;
}

export function AnswerButton(props: AnswerButtonProps) {
  const { option, hotkey, isWide, disabled, className, children, ...rest } = props;
  const { isLocked, hasKeys } = useContext(AnsweringContext);
  return (
    <Button
      disabled={isLocked || disabled}
      data-option={option?.id}
      aria-keyshortcuts={hotkey}
      className={classNames(isWide && "max-md:basis-full!", className)}
      {...rest}
    >
      {children}
      {hotkey && <KeyHint works={hasKeys}>{hotkey}</KeyHint>}
    </Button>
  );
}

interface OptionButtonsProps {
  options: readonly AskOption[];
  /** What differs from one option to the next. */
  propsOf: (option: AskOption) => Pick<AnswerButtonProps, "look" | "hotkey" | "title">;
  onChoose: (option: AskOption) => void;
}

/** Options in the agent's own words. */
export function OptionButtons({ options, propsOf, onChoose }: OptionButtonsProps) {
  return (
    <BoundedList items={options} step={10} name="options">
      {(option) => (
        <AnswerButton
          key={option.id}
          option={option}
          isWide
          className="max-w-full"
          onClick={() => onChoose(option)}
          {...propsOf(option)}
        >
          <span className="truncate">{clip(option.label)}</span>
        </AnswerButton>
      )}
    </BoundedList>
  );
}

/** Always takes its room: a button that moves while it is pressed is missed. Not to be seen while the key would not work. */
export function KeyHint({ children, works }: { children: string; works: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-key={works ? children : undefined}
      data-hint={works ? "on" : "off"}
      className={classNames(
        "-mr-1 ml-0.5 grid h-4 min-w-4 place-items-center rounded border border-current/30 px-0.5 font-mono font-normal text-[0.625rem] transition-opacity touch:hidden",
        works ? "opacity-80" : "opacity-0",
      )}
    >
      {children}
    </span>
  );
}
