/** What the command palette finds: sessions, what can be done here, and a new session with an agent. */
import { Command } from "cmdk";
import { CornerDownLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import { Keys } from "../ui/keys.tsx";
import { PALETTE_INPUT, PaletteField } from "./command-palette.tsx";
import { matchWords } from "./match-words.ts";
import { useFoundMessages } from "./use-found-messages.tsx";
import { type PaletteEntry, usePaletteEntries } from "./use-palette-entries.tsx";

/** More are found by typing on. */
const MAX_LISTED = { waiting: 1, session: 8, action: 20, agent: 8 } as const;

const GROUPS = [
  { kind: "waiting", name: "Now" },
  { kind: "session", name: "Sessions" },
  { kind: "action", name: "Actions" },
  { kind: "agent", name: "New session with" },
] as const;

interface PaletteListProps {
  query: string;
  onQuery: (query: string) => void;
  /** Closes the palette, then does it. */
  onChoose: (run: () => void) => void;
}

/** The field and what it finds. */
export default function PaletteList({ query, onQuery, onChoose }: PaletteListProps) {
  const entries = usePaletteEntries();
  const messages = useFoundMessages(query.trim());
  const groups = [
    ...GROUPS.map(({ kind, name }) => ({
      name,
      found: matchWords(entries[kind], query, query === "" && kind === "session" ? 5 : MAX_LISTED[kind]),
    })),
    { name: "In messages", found: messages },
  ].filter(({ found }) => found.length > 0);

  return (
    <Command loop shouldFilter={false} label="Find or do anything" className="flex min-h-0 flex-col">
      <PaletteField>
        <Command.Input autoFocus value={query} onValueChange={onQuery} {...PALETTE_INPUT} />
      </PaletteField>
      <Command.List className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
        {groups.length === 0 && (
          <p role="status" className="px-3 py-8 text-center text-muted-foreground">
            Nothing matches “{query}”.
          </p>
        )}
        {groups.map(({ name, found }) => (
          <Group key={name} name={name}>
            {found.map((entry) => (
              <Entry key={entry.id} entry={entry} onChoose={() => onChoose(entry.run)} />
            ))}
          </Group>
        ))}
      </Command.List>
    </Command>
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
      className="group flex h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-[0.8125rem] data-[selected=true]:bg-selected touch:h-11 [&_svg]:size-4 [&_svg]:shrink-0"
    >
      <span className="grid w-5 place-items-center text-muted-foreground">{entry.icon}</span>
      <span className="min-w-0 flex-1 truncate">
        {entry.session ? <SessionName summary={entry.session} /> : (entry.label ?? entry.name)}
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
