/** How full the agent's context window is, and what can be done about it. */
import { Popover } from "radix-ui";
import type { SessionDetails } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { formatCount } from "../ui/format.ts";
import { PopoverWindow } from "../ui/popover-window.tsx";

/** From here on it is worth a thought, and then an alarm. */
const NEARLY_FULL = 0.75;
const FULL = 0.92;

const RADIUS = 6;
const LENGTH = 2 * Math.PI * RADIUS;
const RING = { cx: 8, cy: 8, r: RADIUS, fill: "none", stroke: "currentColor", strokeWidth: 2.5 };

interface ContextGaugeProps {
  /** There is no room for the number. */
  isShort: boolean;
  context: SessionDetails["context"];
  /** Undefined where the agent has no command for it, or this person may not use it. */
  onCompact: (() => void) | undefined;
}

export function ContextGauge({ context, isShort, onCompact }: ContextGaugeProps) {
  if (!context?.size || context.size <= 0) return null;
  const share = Math.min(1, Math.max(0, context.used / context.size));
  const percent = Math.round(share * 100);
  const tone =
    share >= FULL ? "text-danger-text" : share >= NEARLY_FULL ? "text-waiting-text" : "text-muted-foreground";
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          data-context={percent}
          aria-label={`Context ${percent} % full`}
          title={`Context ${percent} % full`}
          className={classNames(
            "inline-flex h-7.5 shrink-0 items-center gap-1 rounded-md px-1.5 text-2xs tabular-nums hover:bg-hover touch:h-10 touch:min-w-10 touch:justify-center touch:px-2",
            tone,
          )}
        >
          <svg viewBox="0 0 16 16" className="size-4 -rotate-90" aria-hidden="true">
            <circle {...RING} opacity="0.2" />
            <circle {...RING} strokeLinecap="round" strokeDasharray={`${share * LENGTH} ${LENGTH}`} />
          </svg>
          <span className={isShort || share < NEARLY_FULL ? "max-sm:sr-only" : ""}>{percent} %</span>
        </button>
      </Popover.Trigger>
      <PopoverWindow look="note" aria-label="Context" align="end" className="w-64">
        <p className="flex items-baseline justify-between gap-3 font-medium">
          Context used
          <span className="font-normal text-muted-foreground tabular-nums">
            {formatCount(context.used)} of {formatCount(context.size)} tokens
          </span>
        </p>
        <p className="mt-1 text-muted-foreground">
          {share >= NEARLY_FULL
            ? "Soon the agent has to forget or summarize the beginning."
            : "How much of this conversation the agent can still see."}
        </p>
        {onCompact && (
          <Popover.Close asChild>
            <Button size="small" className="mt-2" onClick={onCompact}>
              Summarize it now
            </Button>
          </Popover.Close>
        )}
      </PopoverWindow>
    </Popover.Root>
  );
}
