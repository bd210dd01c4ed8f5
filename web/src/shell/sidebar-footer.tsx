/** Below the sessions: whether the page is live, and what is not about a single session. */
import { BarChart3, Search, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { useAccess } from "../access/use-access.tsx";
import type { FeedState } from "../feed/feed-state.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { linkTo } from "../route.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { isMac } from "../ui/keys.tsx";
import { SettingsMenu } from "./settings-menu.tsx";
import { useCommands } from "./use-command.tsx";

/** `onOpen` is called when something else than sessions is opened. */
export function SidebarFooter({ onOpen }: { onOpen: () => void }): ReactNode {
  const { connection } = useFeed();
  const { can } = useAccess();
  const commands = useCommands();
  return (
    <div className="flex min-h-10 shrink-0 items-center justify-between border-t px-2.5 pb-[env(safe-area-inset-bottom)]">
      <Connection state={connection} />
      <span className="flex items-center gap-0.5">
        <Button
          look="ghost"
          title="Find or do anything"
          className="px-1.5! touch:size-10"
          onClick={() => {
            onOpen();
            commands.run("palette");
          }}
        >
          <Search />
          <span className="sr-only">Find or do anything</span>
          <span className="text-2xs text-muted-foreground touch:hidden">{isMac() ? "⌘K" : "Ctrl K"}</span>
        </Button>
        {can("service.read") && (
          <a
            href={linkTo({ view: "usage" })}
            aria-label="Usage and cost"
            title="Usage and cost (u)"
            onClick={onOpen}
            className="grid size-7.5 place-items-center rounded-md text-soft hover:bg-hover hover:text-foreground touch:size-10 [&_svg]:size-4"
          >
            <BarChart3 aria-hidden="true" />
          </a>
        )}
        {can("token.manage") && (
          <IconButton
            icon={Smartphone}
            label="Open on my phone"
            title="Open on my phone"
            className="max-md:hidden"
            onClick={() => commands.run("phone")}
          />
        )}
        <SettingsMenu onOpen={onOpen} />
      </span>
    </div>
  );
}

function Connection({ state }: { state: FeedState["connection"] }) {
  const names = { connecting: "Connecting…", live: "Live", lost: "Reconnecting…", paused: "Paused" };
  return (
    <span data-connection={state} className="flex items-center gap-1.5 pl-1 text-2xs text-muted-foreground">
      <span
        className={classNames(
          "size-1.5 rounded-full",
          state === "live" ? "bg-success" : "animate-breathe bg-waiting",
        )}
      />
      {names[state]}
    </span>
  );
}
