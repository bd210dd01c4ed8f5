/** The frame of the page: sessions on the left, one conversation, and everything that waits for a person. */

import { Menu } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { Conversation } from "../chat/conversation.tsx";
import { useFeed, useIsThere, useWatching } from "../feed/use-feed.tsx";
import { useIsLost } from "../feed/use-is-lost.ts";
import { useBadges } from "../notices/use-badges.ts";
import { useNotifications } from "../notices/use-notifications.ts";
import { openSession, useRoute } from "../route.ts";
import { useSeenCutOff } from "../sessions/seen-cut-offs.ts";
import { Sidebar } from "../sessions/sidebar.tsx";
import { openStart } from "../start/choose-agent.ts";
import { Button } from "../ui/button.tsx";
import { Sheet } from "../ui/dialog.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { AsksButton } from "./asks-button.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { NoSession } from "./no-session.tsx";
import { SidePanel } from "./side-panel.tsx";
import { usePageNotices } from "./use-page-notices.tsx";
import { useWorkspaceCommands } from "./use-workspace-commands.ts";

const UsageView = lazy(() => import("../usage/usage-view.tsx"));
const StartView = lazy(() => import("../start/start-view.tsx"));
const AsksPanel = lazy(() =>
  import("../asks/asks-panel.tsx").then((module) => ({ default: module.AsksPanel })),
);
const PhoneDialog = lazy(() =>
  import("../people/phone-dialog.tsx").then((module) => ({ default: module.PhoneDialog })),
);
const ShareDialog = lazy(() =>
  import("../people/share-dialog.tsx").then((module) => ({ default: module.ShareDialog })),
);
const ShortcutList = lazy(() => import("./shortcut-list.tsx"));

type Overlay = "sessions" | "asks" | "palette" | "shortcuts" | "phone" | "invite";

export function Workspace() {
  const feed = useFeed();
  const asked = useMyAsks();
  const canCreate = useAccess().can("session.create");
  const route = useRoute();
  const selected = route.view === "session" ? route.session : undefined;
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);
  usePageNotices();
  useWorkspaceCommands({
    session: selected,
    panel: route.view === "session" ? route.panel : undefined,
    open: setOverlay,
  });

  useBadges(asked.length);
  useNotifications();

  const sidebar = (
    <ErrorBoundary name="The list of sessions" resetOn={feed.sessions}>
      <Sidebar
        selected={selected}
        onNew={() => {
          openStart();
          close();
        }}
        onAsks={() => setOverlay("asks")}
        onOpen={() => setOverlay((open) => (open === "sessions" ? undefined : open))}
      />
    </ErrorBoundary>
  );
  const menu = (
    <Button
      look="ghost"
      size="icon"
      aria-label="Sessions"
      className="md:hidden"
      onClick={() => setOverlay("sessions")}
    >
      <Menu />
    </Button>
  );
  const asks = (
    <span className="md:hidden">
      <AsksButton count={asked.length} onClick={() => setOverlay("asks")} />
    </span>
  );
  const isKnown = useIsThere(selected);
  useWatching(isKnown ? selected : undefined);
  useSeenCutOff(selected === undefined ? undefined : feed.sessions.get(selected));

  return (
    <div
      // What is not known to go on does not move.
      data-lost={useIsLost() || undefined}
      className="flex h-full data-lost:[&_.animate-breathe]:animate-none data-lost:[&_.animate-spin]:animate-none"
    >
      <aside className="hidden w-[17rem] shrink-0 border-r bg-panel md:block">{sidebar}</aside>
      <main className="flex min-w-0 flex-1 flex-col has-[+[data-full]]:hidden">
        <ConnectionBanner state={feed.connection} />
        {route.view === "usage" ? (
          <ErrorBoundary name="The usage">
            <Suspense>
              <UsageView menu={menu} />
            </Suspense>
          </ErrorBoundary>
        ) : isKnown && selected !== undefined ? (
          <ErrorBoundary key={selected} name="This session">
            <Conversation session={selected} menu={menu} asks={asks} />
          </ErrorBoundary>
        ) : (
          <>
            <header className="flex h-12 shrink-0 items-center justify-between px-2 md:hidden">
              {menu}
              {asks}
            </header>
            {canCreate && selected === undefined ? (
              <ErrorBoundary name="The start">
                <Suspense>
                  <StartView />
                </Suspense>
              </ErrorBoundary>
            ) : (
              feed.connection !== "connecting" &&
              isKnown === false && <NoSession isGone={selected !== undefined} canCreate={canCreate} />
            )}
          </>
        )}
      </main>
      {isKnown && route.view === "session" && <SidePanel route={route} />}
      <Sheet side="left" title="Sessions" isOpen={overlay === "sessions"} onClose={close}>
        {sidebar}
      </Sheet>
      <Sheet side="right" title="Waiting for you" showsTitle isOpen={overlay === "asks"} onClose={close}>
        <ErrorBoundary name="What waits for you" resetOn={asked}>
          <Suspense>
            <AsksPanel
              onOpen={(session) => {
                openSession(session);
                close();
              }}
            />
          </Suspense>
        </ErrorBoundary>
      </Sheet>
      <Suspense>
        {overlay === "palette" && <CommandPalette onClose={close} />}
        {overlay === "shortcuts" && <ShortcutList onClose={close} />}
        {overlay === "phone" && <PhoneDialog session={selected} onClose={close} />}
        {selected !== undefined && overlay === "invite" && (
          <ShareDialog session={selected} isOpen onClose={close} />
        )}
      </Suspense>
    </div>
  );
}
