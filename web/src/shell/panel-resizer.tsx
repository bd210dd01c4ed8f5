/** The edge of a panel: dragged, or moved with the arrow keys. */
import { useRef } from "react";
import { classNames } from "../ui/class-names.ts";
import type { PanelBounds } from "./panel-width.ts";

const STEP = 32;

interface PanelResizerProps {
  label: string;
  /** Which edge of the panel it is. */
  edge: "left" | "right";
  bounds: PanelBounds;
  width: number;
  onResize: (width: number) => void;
}

export function PanelResizer({ label, edge, bounds, width, onResize }: PanelResizerProps) {
  const drag = useRef<{ x: number; width: number }>(undefined);
  const outwards = edge === "left" ? -1 : 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no line
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={bounds.min}
      aria-valuemax={bounds.max()}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const { current } = drag;
        if (current) onResize(current.width + (event.clientX - current.x) * outwards);
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onResize(width - STEP * outwards);
        else if (event.key === "ArrowRight") onResize(width + STEP * outwards);
        else return;
        event.preventDefault();
      }}
      className={classNames(
        edge === "left" ? "-left-1" : "-right-1",
        "absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none select-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 after:transition-colors hover:after:bg-primary/50 focus-visible:outline-none focus-visible:after:bg-ring",
      )}
    />
  );
}
