/**
 * What stands beside a conversation, as the route says: to the right of it on wide screens, over it on narrow ones. What
 * it shows is loaded when it is first opened.
 */
import { Maximize2, Minimize2, X } from "lucide-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useFeed } from "../feed/use-feed.tsx";
import { linkTo, openSession, type SidePanel as PanelName, type Route, SIDE_PANELS } from "../route.ts";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import { IconButton } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Sheet } from "../ui/dialog.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useMedia } from "../ui/use-media.ts";
import { PanelResizer } from "./panel-resizer.tsx";
import { SIDE_PANEL, usePanelWidth } from "./panel-width.ts";

/** What a panel is given. */
export interface PanelProps {
  session: string;
  /** The entry of the log that was asked for. */
  seq?: number;
}

interface Panel {
  title: string;
  View: ComponentType<PanelProps>;
  /** It can take the place of the conversation. */
  isWide?: true;
}

const lazyView = (load: () => Promise<{ default: ComponentType<PanelProps> }>) =>
  lazyPart(load, NotLoaded, () => <Skeleton className="min-h-0 flex-1 p-3" />);

const PANELS: Readonly<Record<PanelName, Panel>> = {
  tasks: { title: "Tasks", View: lazyView(() => import("../compose/tasks-panel.tsx")) },
  files: { title: "Files", View: lazyView(() => import("../files/files-panel.tsx")) },
  xray: { title: "X-ray", View: lazyView(() => import("../xray/xray-panel.tsx")), isWide: true },
};

const FULL_KEY = "interlingua.panel-full";

/** Where there is room for both. */
const WIDE = "(min-width: 64rem)";

type SessionRoute = Extract<Route, { view: "session" }>;

export function SidePanel({ route }: { route: SessionRoute }) {
  const { session, panel, seq } = route;
  const isWide = useMedia(WIDE);
  const [width, setWidth] = usePanelWidth(SIDE_PANEL);
  const [isFull, setIsFull] = useState(() => localStorage.getItem(FULL_KEY) !== "no");
  const { can } = useAccess();
  const found = panel && (panel !== "xray" || can("session.raw")) ? PANELS[panel] : undefined;
  const close = () => openSession(session);
  const content = found && (
    <ErrorBoundary key={`${session} ${panel}`} name="This panel">
      <found.View session={session} seq={seq} />
    </ErrorBoundary>
  );
  if (!isWide) {
    return (
      <Sheet side="right" size="wide" title={found?.title ?? ""} isOpen={found !== undefined} onClose={close}>
        <PanelBar session={session} panel={panel} onClose={close} />
        {content}
      </Sheet>
    );
  }
  if (!found) return null;
  // The conversation hides beside it (workspace.tsx).
  const takesAll = found.isWide && isFull;
  const toggle = (
    <IconButton
      icon={takesAll ? Minimize2 : Maximize2}
      label={takesAll ? "Show the conversation beside it" : "Use all the room"}
      title={takesAll ? "Show the conversation beside it" : "Use all the room"}
      onClick={() => {
        setIsFull(!isFull);
        localStorage.setItem(FULL_KEY, isFull ? "no" : "yes");
      }}
    />
  );
  return (
    <aside
      aria-label={found.title}
      data-panel={panel}
      data-full={takesAll || undefined}
      className={classNames(
        "relative flex flex-col bg-panel",
        takesAll ? "min-w-0 flex-1" : "shrink-0 border-l",
      )}
      style={takesAll ? undefined : { width }}
    >
      {!takesAll && (
        <PanelResizer
          label="Width of the panel"
          edge="left"
          bounds={SIDE_PANEL}
          width={width}
          onResize={setWidth}
        />
      )}
      <PanelBar session={session} panel={panel} onClose={close}>
        {takesAll && <PanelTitle session={session} />}
        {found.isWide && toggle}
      </PanelBar>
      {content}
    </aside>
  );
}

interface PanelBarProps {
  session: string;
  panel: PanelName | undefined;
  onClose: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

function PanelBar({ session, panel, onClose, children }: PanelBarProps) {
  const names = usePanels();
  return (
    <div className="flex h-12 shrink-0 items-center gap-1 border-b pr-2 pl-3">
      <nav aria-label="Panels" className="flex min-w-0 flex-1 gap-0.5">
        {names.map((name) => (
          <a
            key={name}
            href={linkTo({ view: "session", session, panel: name })}
            aria-current={name === panel ? "page" : undefined}
            className={classNames(
              "inline-flex h-7.5 items-center rounded-md px-2.5 font-medium text-[0.8125rem] touch:h-10",
              name === panel ? "bg-selected text-foreground" : "text-muted-foreground hover:bg-hover",
            )}
          >
            {PANELS[name].title}
          </a>
        ))}
      </nav>
      {children}
      <IconButton icon={X} label="Close the panel" onClick={onClose} />
    </div>
  );
}

/** Which session it is of, where its conversation is not beside it. */
function PanelTitle({ session }: { session: string }) {
  const title = useSessionTitle(session, useFeed().sessions.get(session));
  return (
    <span className="min-w-0 max-w-[50%] truncate px-2 text-muted-foreground text-xs">{title.text}</span>
  );
}

/** The panels that the token may see. */
function usePanels(): PanelName[] {
  const { can } = useAccess();
  return SIDE_PANELS.filter((name) => name !== "xray" || can("session.raw"));
}
