/** The field in which sessions are searched for. */
import { Search, X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";

interface SessionSearchProps {
  value: string;
  onChange: (value: string) => void;
  /** Enter: the first of what was found. */
  onFirst: () => void;
  /** The arrow down: to what was found. */
  onDown: () => void;
}

export function SessionSearch({ value, onChange, onFirst, onDown }: SessionSearchProps) {
  const input = useRef<HTMLInputElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && value !== "") onChange("");
    else if (event.key === "Escape") input.current?.blur();
    else if (event.key === "Enter" && value.trim() !== "") onFirst();
    else if (event.key === "ArrowDown") onDown();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <search className="relative block min-w-0 flex-1">
      <Search
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2 size-3.5 text-muted-foreground"
      />
      <input
        ref={input}
        id="session-search"
        data-own-escape
        type="search"
        aria-label="Search sessions and messages"
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-7.5 w-full rounded-md border border-transparent bg-muted pr-7 pl-7 text-[0.8125rem] placeholder:text-muted-foreground hover:border-border focus:border-input focus:bg-background touch:h-10 touch:text-base touch:placeholder:text-sm [&::-webkit-search-cancel-button]:hidden"
      />
      {value && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
          className="-translate-y-1/2 absolute top-1/2 right-1 grid size-6 place-items-center rounded text-muted-foreground hover:text-foreground touch:size-10"
        >
          <X className="size-3.5" />
        </button>
      )}
    </search>
  );
}
