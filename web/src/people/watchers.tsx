/** Who watches the session besides this page, in its header. */
import { Eye } from "lucide-react";
import { Popover } from "radix-ui";
import { useAccess } from "../access/use-access.tsx";
import { useFeed } from "../feed/use-feed.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { PopoverWindow } from "../ui/popover-window.tsx";
import { groupViewers, type Watcher } from "./group-viewers.ts";
import { shownName } from "./shown-name.ts";

/** More do not fit into the header. */
const MAX_INITIALS = 3;

export function Watchers({ session }: { session: string }) {
  const { presence } = useFeed();
  const { me } = useAccess();
  const { viewers, total } = presence.get(session) ?? { viewers: [], total: 0 };
  const watchers = groupViewers(viewers, me.name);
  const others = watchers.filter(({ isMe }) => !isMe);
  if (others.length === 0) return null;
  // Those that are not listed have no names here.
  const hidden = total - viewers.length;
  const count = watchers.length + hidden;
  return (
    <Popover.Root>
      <Popover.Trigger
        data-watchers={count}
        aria-label={`${count} watching: ${nameList(watchers, hidden)}`}
        className="flex h-7.5 shrink-0 items-center rounded-full px-1 text-muted-foreground hover:bg-hover touch:h-10 touch:min-w-10 touch:justify-center"
      >
        <span aria-hidden="true" className="flex -space-x-1.5 max-md:hidden">
          {others.slice(0, MAX_INITIALS).map((watcher) => (
            <Initials key={`${watcher.role} ${watcher.name}`} watcher={watcher} />
          ))}
          {others.length + hidden > MAX_INITIALS && (
            <span className="grid size-6 place-items-center rounded-full bg-muted font-medium text-[0.625rem] ring-2 ring-background tabular-nums">
              +{others.length + hidden - MAX_INITIALS}
            </span>
          )}
        </span>
        <span aria-hidden="true" className="flex items-center gap-1 px-1 text-xs tabular-nums md:hidden">
          <Eye className="size-4" />
          {count}
        </span>
      </Popover.Trigger>
      <PopoverWindow
        look="names"
        side="bottom"
        align="end"
        sideOffset={4}
        collisionPadding={0}
        aria-label="Who watches"
      >
        <h2 className="px-1.5 pb-1 font-medium text-2xs text-muted-foreground">Watching now</h2>
        <ul>
          {watchers.map((watcher) => (
            <li
              key={`${watcher.role} ${watcher.name}`}
              className="flex items-center gap-2 px-1.5 py-1 text-[0.8125rem]"
            >
              <Initials watcher={watcher} />
              <span
                className="min-w-0 flex-1 truncate first-letter:uppercase"
                title={clip(watcher.name, 200)}
              >
                {nameOf(watcher)}
              </span>
              <span className="shrink-0 text-2xs text-muted-foreground">{roleOf(watcher).join(" · ")}</span>
            </li>
          ))}
          {hidden > 0 && <li className="px-1.5 py-1 text-muted-foreground text-xs">and {hidden} more</li>}
        </ul>
      </PopoverWindow>
    </Popover.Root>
  );
}

/** Whoever has no name of their own. */
function isNamedByRole({ name, role }: Watcher): boolean {
  return name === role || name.startsWith(`${role} (`);
}

function nameOf(watcher: Watcher): string {
  return watcher.isMe && isNamedByRole(watcher) ? "you" : shownName(watcher.name);
}

/** Nothing is said twice. */
function roleOf(watcher: Watcher): string[] {
  if (isNamedByRole(watcher)) return watcher.isMe ? [watcher.role] : [];
  return [...(watcher.isMe ? ["you"] : []), watcher.role];
}

function nameList(watchers: readonly Watcher[], hidden: number): string {
  const names = watchers.map((watcher) => [nameOf(watcher), ...roleOf(watcher)].join(", "));
  return [...names, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join("; ");
}

const ROLE_COLORS: Readonly<Record<Watcher["role"], string>> = {
  owner: "bg-primary text-primary-foreground",
  operator: "bg-primary text-primary-foreground",
  participant: "bg-added text-added-text",
  observer: "bg-muted text-soft",
};

function Initials({ watcher }: { watcher: Watcher }) {
  return (
    <span
      aria-hidden="true"
      title={[nameOf(watcher), ...roleOf(watcher)].join(" · ")}
      className={classNames(
        "grid size-6 shrink-0 place-items-center rounded-full font-semibold text-[0.625rem] ring-2 ring-background",
        ROLE_COLORS[watcher.role],
      )}
    >
      {watcher.initials}
    </span>
  );
}
