/** The frame of the page: sessions on the left, one conversation, and everything that waits for a person. */

import { Menu } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { Conversation } from "../chat/conversation.tsx";
import { useHeldDrafts } from "../compose/use-held-drafts.ts";
import { useConnectionState, useFeed, useIsThere, useWatching } from "../feed/use-feed.tsx";
import { useIsLost } from "../feed/use-is-lost.ts";
import { useBadges } from "../notices/use-badges.ts";
import { useNotifications } from "../notices/use-notifications.ts";
import { PhoneDialog } from "../people/phone-dialog.tsx";
import { ShareDialog } from "../people/share-dialog.tsx";
import { openSession, useRoute } from "../route.ts";
import { Sidebar } from "../sessions/sidebar.tsx";
import { useSeenEnding } from "../sessions/unseen-endings.ts";
import { openStart, START_FIELD } from "../start/choose-agent.ts";
import { IconButton } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Sheet } from "../ui/dialog.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { isMac } from "../ui/keys.tsx";
import { lazyPart, loadAllAhead } from "../ui/lazy-part.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";
import { AsksButton } from "./asks-button.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { NoSession } from "./no-session.tsx";
import { PanelResizer } from "./panel-resizer.tsx";
import { SIDEBAR, usePanelWidth } from "./panel-width.ts";
import { SidePanel } from "./side-panel.tsx";
import { useBackCloses } from "./use-back-closes.ts";
import { usePageNotices } from "./use-page-notices.tsx";
import { useWorkspaceCommands } from "./use-workspace-commands.ts";

const UsageView = lazyPart(() => import("../usage/usage-view.tsx"), NotLoaded);
const StartView = lazyPart(() => import("../start/start-view.tsx"), NotLoaded);
const AsksPanel = lazyPart(() => import("../asks/asks-panel.tsx"), NotLoaded);
const ShortcutList = lazyPart(() => import("./shortcut-list.tsx"));

/** Where there is room for the list beside the conversation. */
const BESIDE = "(min-width: 48rem)";

type Overlay = "sessions" | "asks" | "palette" | "shortcuts" | "phone" | "invite";

export function Workspace() {
  const feed = useFeed();
  const asked = useMyAsks();
  const canCreate = useAccess().can("session.create");
  const route = useRoute();
  const selected = route.view === "session" ? route.session : undefined;
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);
  const onLink = useBackCloses(overlay !== undefined, close);
  const [isSidebarOpen, toggleSidebar] = useSidebar();
  const [sidebarWidth, setSidebarWidth] = usePanelWidth(SIDEBAR);
  /** What stands in for the sidebar where it is not. */
  const instead = isSidebarOpen ? "md:hidden" : "";
  usePageNotices();
  useLoadAhead();
  useHeldDrafts(selected);
  const toggleSessions = () =>
    matchMedia(BESIDE).matches
      ? toggleSidebar()
      : setOverlay((open) => (open === "sessions" ? undefined : "sessions"));
  useWorkspaceCommands({
    session: selected,
    panel: route.view === "session" ? route.panel : undefined,
    toggleSidebar: toggleSessions,
    open: setOverlay,
  });

  const main = useRef<HTMLElement>(null);
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
        onHide={overlay === "sessions" ? undefined : toggleSidebar}
      />
    </ErrorBoundary>
  );
  const menu = (
    <IconButton
      icon={Menu}
      label="Sessions"
      title={`Sessions (${isMac() ? "⌘" : "Ctrl-"}B)`}
      className={instead}
      onClick={toggleSessions}
    />
  );
  const asks = (
    <span className={instead}>
      <AsksButton count={asked.length} onClick={() => setOverlay("asks")} />
    </span>
  );
  const isKnown = useIsThere(selected);
  useWatching(isKnown ? selected : undefined);
  useSeenEnding(selected === undefined ? undefined : feed.sessions.get(selected));

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only links are seen here
    <div
      onClick={onLink}
      // What is not known to go on does not move.
      data-lost={useIsLost() || undefined}
      className="group/workspace flex h-full data-lost:[&_.animate-breathe]:animate-none data-lost:[&_.animate-spin]:animate-none"
    >
      <button
        type="button"
        onClick={() =>
          (
            document.getElementById("composer") ??
            document.getElementById(START_FIELD) ??
            main.current
          )?.focus()
        }
        className="sr-only z-50 rounded-md bg-raised shadow-pop focus-visible:not-sr-only focus-visible:fixed focus-visible:px-3! focus-visible:py-2! focus-visible:top-2 focus-visible:left-2"
      >
        To the conversation
      </button>
      {isSidebarOpen && (
        <aside
          style={{ width: sidebarWidth }}
          // The X-ray in all its width needs the room.
          className="relative hidden shrink-0 border-r bg-panel group-has-[[data-full]]/workspace:hidden! md:block"
        >
          {sidebar}
          <PanelResizer
            label="Width of the list"
            edge="right"
            bounds={SIDEBAR}
            width={sidebarWidth}
            onResize={setSidebarWidth}
          />
        </aside>
      )}
      <main
        ref={main}
        tabIndex={-1}
        className="outline-none flex min-w-0 flex-1 flex-col has-[+[data-full]]:hidden"
      >
        <ConnectionBanner state={feed.connection} />
        {route.view === "usage" ? (
          <ErrorBoundary name="The usage">
            <UsageView menu={menu} />
          </ErrorBoundary>
        ) : isKnown && selected !== undefined ? (
          <ErrorBoundary key={selected} name="This session">
            <Conversation session={selected} menu={menu} asks={asks} />
          </ErrorBoundary>
        ) : (
          <>
            <header className={classNames("flex h-12 shrink-0 items-center justify-between px-2", instead)}>
              {menu}
              {asks}
            </header>
            {canCreate && selected === undefined ? (
              <ErrorBoundary name="The start">
                <StartView />
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
          <AsksPanel
            onOpen={(session) => {
              openSession(session);
              close();
            }}
          />
        </ErrorBoundary>
      </Sheet>
      {overlay === "palette" && <CommandPalette onClose={close} />}
      {overlay === "shortcuts" && <ShortcutList onClose={close} />}
      {overlay === "phone" && <PhoneDialog session={selected} onClose={close} />}
      {selected !== undefined && overlay === "invite" && <ShareDialog session={selected} onClose={close} />}
    </div>
  );
}

const SIDEBAR_KEY = "interlingua.sidebar";

/** Whether the sidebar is open where there is room for it, kept in this browser. */
function useSidebar(): readonly [boolean, () => void] {
  const [isOpen, setIsOpen] = useState(() => localStorage.getItem(SIDEBAR_KEY) !== "closed");
  return [
    isOpen,
    () => {
      setIsOpen(!isOpen);
      localStorage.setItem(SIDEBAR_KEY, isOpen ? "closed" : "open");
    },
  ];
}

/** What is opened first comes first. */
const LOAD_AHEAD_AFTER_MS = 3000;

/** Loads what is not shown yet once the page has come to rest, so that it is there when the connection is not. */
function useLoadAhead(): void {
  const isLive = useConnectionState() === "live";
  useEffect(() => {
    if (!isLive) return;
    const ended = new AbortController();
    const timer = setTimeout(() => void loadAllAhead(ended.signal), LOAD_AHEAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isLive]);
}
