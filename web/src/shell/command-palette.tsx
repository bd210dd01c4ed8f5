/** Find or do anything from one field: sessions, what can be done here, and a new session with an agent. */
import { Command } from "cmdk";
import { CornerDownLeft, Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import { Backdrop } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import { matchWords } from "./match-words.ts";
import { type PaletteEntry, usePaletteEntries } from "./use-palette-entries.tsx";

/** More are found by typing on. */
const MAX_LISTED = { session: 8, action: 20, agent: 8 } as const;

const GROUPS = [
  { kind: "session", name: "Sessions" },
  { kind: "action", name: "Actions" },
  { kind: "agent", name: "New session with" },
] as const;

interface CommandPaletteProps {
  onClose: () => void;
}

export default function CommandPalette({ onClose }: CommandPaletteProps) {
  const [query, setQuery] = useState("");
  const entries = usePaletteEntries();
  const groups = GROUPS.map(({ kind, name }) => ({
    name,
    found: matchWords(entries[kind], query, query === "" && kind === "session" ? 5 : MAX_LISTED[kind]),
  })).filter(({ found }) => found.length > 0);

  function choose(entry: PaletteEntry) {
    onClose();
    // After the dialog has given the focus back: what is opened takes it.
    setTimeout(entry.run);
  }

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Backdrop />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[76dvh] w-[min(38rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-raised shadow-pop focus:outline-none max-md:top-3 max-md:max-h-[calc(100dvh-1.5rem)]"
        >
          <Radix.Title className="sr-only">Find or do anything</Radix.Title>
          <Command loop shouldFilter={false} label="Find or do anything" className="flex min-h-0 flex-col">
            <div className="flex h-12 shrink-0 items-center gap-2.5 border-b px-4">
              <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
              <Command.Input
                autoFocus
                value={query}
                onValueChange={setQuery}
                placeholder="Find a session, or do something"
                className="h-full min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none placeholder:text-muted-foreground max-md:text-base"
              />
            </div>
            <Command.List className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
              {groups.length === 0 && (
                <p role="status" className="px-3 py-8 text-center text-muted-foreground">
                  Nothing matches “{query}”.
                </p>
              )}
              {groups.map(({ name, found }) => (
                <Group key={name} name={name}>
                  {found.map((entry) => (
                    <Entry key={entry.id} entry={entry} onChoose={() => choose(entry)} />
                  ))}
                </Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={name}
      className="pb-1 [&>[cmdk-group-heading]]:px-2.5 [&>[cmdk-group-heading]]:pt-2 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-2xs [&>[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  );
}

function Entry({ entry, onChoose }: { entry: PaletteEntry; onChoose: () => void }) {
  return (
    <Command.Item
      value={entry.id}
      onSelect={onChoose}
      className="group flex h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-[0.8125rem] data-[selected=true]:bg-selected max-md:h-11 [&_svg]:size-4 [&_svg]:shrink-0"
    >
      <span className="grid w-5 place-items-center text-muted-foreground">{entry.icon}</span>
      <span className="min-w-0 flex-1 truncate">
        {entry.session ? <SessionName summary={entry.session} /> : entry.name}
      </span>
      {entry.hint && (
        <span className="max-w-[45%] shrink-0 truncate text-2xs text-muted-foreground">{entry.hint}</span>
      )}
      {entry.keys ? (
        <span className="max-md:hidden">
          <Keys keys={entry.keys} />
        </span>
      ) : (
        <CornerDownLeft
          aria-hidden="true"
          className="size-3.5! text-muted-foreground opacity-0 group-data-[selected=true]:opacity-100"
        />
      )}
    </Command.Item>
  );
}

function SessionName({ summary }: { summary: SessionSummary }) {
  return useSessionTitle(summary.session, summary).text;
}
