/** What a command put out; what reads the colours of terminals comes when the first one is opened. */
import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import { NotLoaded } from "../ui/not-loaded.tsx";
import type { TerminalPanelProps } from "./terminal-panel.tsx";

const LoadedPanel = lazyPart(
  () => import("./terminal-panel.tsx").then(({ TerminalPanel }) => ({ default: TerminalPanel })),
  NotLoaded,
);

export function TerminalPanel(props: TerminalPanelProps) {
  return (
    <Suspense fallback={<p className="text-muted-foreground text-xs">Loading the output</p>}>
      <LoadedPanel {...props} />
    </Suspense>
  );
}
