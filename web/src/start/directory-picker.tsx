/** Where a new session works: one of the directories used last, or any other inside what the daemon may work in. */
import { Check, ChevronRight, CornerLeftUp, Folder, FolderGit2, History } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "../ui/class-names.ts";
import { folderName } from "../ui/format.ts";
import { Picker } from "../ui/picker.tsx";
import { Problem } from "../ui/problem.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { type DirectoryOption, directoryOptions, directoryQuery, rootOptions } from "./directory-options.ts";
import { useDirectoryList } from "./use-directory-list.ts";

interface DirectoryPickerProps {
  /** Undefined until it is known. */
  chosen: string | undefined;
  /** Used last, the last one first. */
  recent: readonly string[];
  onChoose: (path: string) => void;
  onClosed: () => void;
}

export function DirectoryPicker({ chosen, recent, onChoose, onClosed }: DirectoryPickerProps) {
  return (
    <Picker
      look="search"
      name="Directory"
      icon={<Folder aria-hidden="true" className="size-3.5 shrink-0 text-muted-foreground" />}
      chosen={chosen === undefined ? "…" : folderName(chosen)}
      title={chosen}
      onClosed={onClosed}
      className="px-1.5 text-[0.8125rem] text-soft hover:text-foreground"
      windowClass="max-h-[min(26rem,var(--radix-popover-content-available-height))] w-[min(24rem,calc(100vw-1.5rem))]"
    >
      {(close) => (
        <DirectoryList
          recent={recent}
          onChoose={(path) => {
            onChoose(path);
            close();
          }}
        />
      )}
    </Picker>
  );
}

function DirectoryList({ recent, onChoose }: Pick<DirectoryPickerProps, "recent" | "onChoose">) {
  const [place, setPlace] = useState<{ at: string | undefined; text: string }>({ at: undefined, text: "" });
  const [marked, setMarked] = useState(0);
  const { list, isLoading, problem } = useDirectoryList(directoryQuery(place));
  const isRefused = problem !== undefined && place.text.startsWith("/");
  const roots = useDirectoryList(isRefused ? {} : undefined);
  const options = isRefused ? rootOptions(place.text, roots.list) : directoryOptions(place, list, recent);
  const current = options[Math.min(marked, options.length - 1)];
  const input = useRef<HTMLInputElement>(null);
  const marking = useRef<HTMLDivElement>(null);
  const id = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another option is marked
  useEffect(() => {
    // In newer browsers it gives a promise, which is no clean-up.
    marking.current?.scrollIntoView({ block: "nearest" });
  }, [current?.path, current?.act]);

  function go(at: string | undefined) {
    setPlace({ at, text: "" });
    setMarked(0);
    input.current?.focus();
  }

  function pick(option: DirectoryOption | undefined) {
    if (!option) return;
    if (option.act === "use") onChoose(option.path);
    else go(option.path);
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const count = Math.max(1, options.length);
    if (event.key === "ArrowDown") setMarked((marked + 1) % count);
    else if (event.key === "ArrowUp") setMarked((marked + count - 1) % count);
    else if (event.key === "Enter") pick(current);
    else if (event.key === "Backspace" && place.text === "" && place.at !== undefined) go(list?.parent);
    else return;
    event.preventDefault();
  }

  const hasRecent = place.at === undefined && options.some(({ act }) => act === "use");
  return (
    <>
      <div className="flex items-center gap-2 border-b px-3">
        <input
          ref={input}
          role="combobox"
          aria-label="Search, or write a path"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current ? `${id}-${options.indexOf(current)}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
          placeholder={place.at === undefined ? "Search, or write a path" : `In ${place.at}`}
          value={place.text}
          onChange={(event) => {
            setPlace({ ...place, text: event.target.value });
            setMarked(0);
          }}
          onKeyDown={onKey}
          className="h-10 min-w-0 flex-1 bg-transparent text-[0.8125rem] outline-none placeholder:text-muted-foreground touch:text-base"
        />
        {isLoading && <Spinner label="Loading" />}
      </div>
      <div id={id} role="listbox" aria-label="Directories" className="min-h-0 overflow-y-auto p-1.5">
        {options.map((option, index) => (
          <Option
            key={`${option.act} ${option.path}`}
            id={`${id}-${index}`}
            option={option}
            isRecent={hasRecent && option.act === "use"}
            isMarked={option === current}
            marking={option === current ? marking : undefined}
            onPick={() => pick(option)}
          />
        ))}
        {isRefused && !isLoading && options.length === 0 && (
          <p role="status" className="px-2 py-1.5 text-muted-foreground text-xs [overflow-wrap:anywhere]">
            {place.text} is no directory that sessions may work in.
          </p>
        )}
        {!isRefused && <Problem text={problem} className="px-2 py-1.5 [overflow-wrap:anywhere]" />}
        {!problem && !isLoading && options.length === 0 && (
          <p className="px-2 py-1.5 text-muted-foreground text-xs">No directory is called so.</p>
        )}
        {list?.isTruncated && (
          <p className="px-2 py-1.5 text-muted-foreground text-xs">
            There are more: write a part of the name.
          </p>
        )}
      </div>
    </>
  );
}

interface OptionProps {
  id: string;
  option: DirectoryOption;
  isRecent: boolean;
  isMarked: boolean;
  marking: React.RefObject<HTMLDivElement | null> | undefined;
  onPick: () => void;
}

function Option({ id, option, isRecent, isMarked, marking, onPick }: OptionProps) {
  const { act, path, name, isRepository, isUp, where } = option;
  const beside = isRecent ? path : isUp ? "the directory above" : where;
  const Icon = isRecent
    ? History
    : act === "use"
      ? Check
      : isUp
        ? CornerLeftUp
        : isRepository
          ? FolderGit2
          : Folder;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
    <div
      ref={marking}
      id={id}
      role="option"
      aria-selected={isMarked}
      tabIndex={-1}
      data-directory={path}
      data-act={act}
      onClick={onPick}
      onMouseDown={(event) => event.preventDefault()}
      className={classNames(
        "flex min-h-8.5 cursor-default items-center gap-2.5 rounded-md px-2 py-1 touch:min-h-10",
        isMarked ? "bg-hover" : "hover:bg-hover",
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0 text-muted-foreground" />
      <span className={classNames("shrink-0", !isRecent && act === "use" && "font-medium")}>
        {act === "use" && !isRecent ? `Use ${name}` : name}
      </span>
      {beside && (
        <span className="min-w-0 truncate text-2xs text-muted-foreground" title={path}>
          {beside}
        </span>
      )}
      {act === "go" && !isUp && (
        <ChevronRight aria-hidden="true" className="ml-auto size-3.5 shrink-0 text-muted-foreground" />
      )}
    </div>
  );
}
