/**
 * What stands beside a conversation, as the route says: to the right of it on wide screens, over it on narrow ones. What
 * it shows is loaded when it is first opened.
 */
import { X } from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from "react";
import { useAccess } from "../access/use-access.tsx";
import { linkTo, openSession, type SidePanel as PanelName, type Route } from "../route.ts";
import { classNames } from "../ui/class-names.ts";
import { Sheet } from "../ui/dialog.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useMedia } from "../ui/use-media.ts";
import { PanelResizer } from "./panel-resizer.tsx";
import { usePanelWidth } from "./panel-width.ts";

/** What a panel is given. */
export interface PanelProps {
  session: string;
  /** The entry of the log that was asked for. */
  seq?: number;
}

interface Panel {
  title: string;
  View: LazyExoticComponent<ComponentType<PanelProps>>;
}

const PANELS: Partial<Record<PanelName, Panel>> = {
  files: { title: "Files", View: lazy(() => import("../files/files-panel.tsx")) },
};

/** Where there is room for both. */
const WIDE = "(min-width: 64rem)";

type SessionRoute = Extract<Route, { view: "session" }>;

export function SidePanel({ route }: { route: SessionRoute }) {
  const { session, panel, seq } = route;
  const isWide = useMedia(WIDE);
  const [width, setWidth] = usePanelWidth();
  const found = panel && PANELS[panel];
  const close = () => openSession(session);
  const content = found && (
    <ErrorBoundary key={`${session} ${panel}`} name="This panel">
      <Suspense fallback={<Loading />}>
        <found.View session={session} seq={seq} />
      </Suspense>
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
  return (
    <aside
      aria-label={found.title}
      data-panel={panel}
      className="relative flex shrink-0 flex-col border-l bg-panel"
      style={{ width }}
    >
      <PanelResizer width={width} onResize={setWidth} />
      <PanelBar session={session} panel={panel} onClose={close} />
      {content}
    </aside>
  );
}

interface PanelBarProps {
  session: string;
  panel: PanelName | undefined;
  onClose: () => void;
}

function PanelBar({ session, panel, onClose }: PanelBarProps) {
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
              "inline-flex h-7.5 items-center rounded-md px-2.5 font-medium text-[0.8125rem] max-md:h-10",
              name === panel ? "bg-selected text-foreground" : "text-muted-foreground hover:bg-hover",
            )}
          >
            {PANELS[name]?.title}
          </a>
        ))}
      </nav>
      <button
        type="button"
        aria-label="Close the panel"
        onClick={onClose}
        className="inline-flex size-7.5 items-center justify-center rounded-md text-soft hover:bg-hover max-md:size-10 [&_svg]:size-4"
      >
        <X />
      </button>
    </div>
  );
}

/** Those there are, and that the token may see. */
function usePanels(): PanelName[] {
  const { can } = useAccess();
  return (["files", "tasks", "xray"] as const).filter(
    (name) => PANELS[name] && (name !== "xray" || can("session.raw")),
  );
}

function Loading() {
  return (
    <div className="grid flex-1 place-items-center text-muted-foreground">
      <Spinner label="Loading" />
    </div>
  );
}
