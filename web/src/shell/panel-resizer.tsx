/** The edge of the side panel: dragged, or moved with the arrow keys. */
import { useRef } from "react";
import { MIN_WIDTH, maxWidth } from "./panel-width.ts";

const STEP = 32;

interface PanelResizerProps {
  width: number;
  onResize: (width: number) => void;
}

export function PanelResizer({ width, onResize }: PanelResizerProps) {
  const drag = useRef<{ x: number; width: number }>(undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no line
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={maxWidth()}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const { current } = drag;
        if (current) onResize(current.width + current.x - event.clientX);
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onResize(width + STEP);
        else if (event.key === "ArrowRight") onResize(width - STEP);
        else return;
        event.preventDefault();
      }}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none select-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 after:transition-colors hover:after:bg-primary/50 focus-visible:outline-none focus-visible:after:bg-ring"
    />
  );
}
