/** What a command put out; what reads the colours of terminals comes when the first one is opened. */
import { lazy, Suspense } from "react";
import type { TerminalPanelProps } from "./terminal-panel.tsx";

const LoadedPanel = lazy(() =>
  import("./terminal-panel.tsx").then(({ TerminalPanel }) => ({ default: TerminalPanel })),
);

export function TerminalPanel(props: TerminalPanelProps) {
  return (
    <Suspense fallback={<p className="text-muted-foreground text-xs">Loading the output</p>}>
      <LoadedPanel {...props} />
    </Suspense>
  );
}
