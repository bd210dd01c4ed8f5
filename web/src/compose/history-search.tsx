/** All earlier prompts, to search in and to take one of. Loaded when it is first opened. */
import { Command } from "cmdk";
import { useState } from "react";
import { Overlay } from "../ui/dialog.tsx";
import { clip } from "../ui/format.ts";
import { searchHistory } from "./prompt-history.ts";

/** More than these are found by more words. */
const MAX_SHOWN = 60;

interface HistorySearchProps {
  history: readonly string[];
  onPick: (text: string) => void;
  onClose: () => void;
}

export default function HistorySearch({ history, onPick, onClose }: HistorySearchProps) {
  const [words, setWords] = useState("");
  const found = searchHistory(history, words).slice(0, MAX_SHOWN);
  return (
    <Overlay
      isOpen
      onClose={onClose}
      hiddenTitle="Earlier prompts"
      aria-describedby={undefined}
      className="fixed inset-x-3 top-[12dvh] z-50 mx-auto flex max-h-[70dvh] max-w-xl flex-col overflow-hidden rounded-xl bg-raised shadow-pop animate-rise"
    >
      <Command shouldFilter={false} label="Earlier prompts" className="flex min-h-0 flex-col">
        <Command.Input
          value={words}
          onValueChange={setWords}
          placeholder="Search earlier prompts"
          className="h-11 shrink-0 border-b bg-transparent px-4 outline-none placeholder:text-muted-foreground touch:text-base"
        />
        <Command.List className="min-h-0 flex-1 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-muted-foreground text-xs">
            {history.length === 0 ? "Nothing was asked yet." : "No earlier prompt has these words."}
          </Command.Empty>
          {found.map((text) => (
            <Command.Item
              key={text}
              value={text}
              onSelect={() => onPick(text)}
              className="cursor-default select-none rounded-md px-2.5 py-2 text-[0.8125rem] leading-5 data-[selected=true]:bg-hover touch:py-2.5"
            >
              <span className="line-clamp-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
                {clip(text, 400)}
              </span>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Overlay>
  );
}
