import type { SessionStatus } from "../api/types.ts";
import { classNames } from "./class-names.ts";

export const STATUS_NAMES: Readonly<Record<SessionStatus, string>> = {
  idle: "Idle",
  running: "Running",
  waiting: "Needs you",
  recovering: "Recovering",
  failed: "Failed",
  closed: "Closed",
};

/** Of one that runs, and was told to stop. */
export const STOPPING = "Stopping…";

const LOOKS: Readonly<Record<SessionStatus, string>> = {
  idle: "bg-muted-foreground/35",
  running: "bg-primary animate-breathe",
  waiting: "bg-waiting ring-3 ring-waiting/20",
  recovering: "bg-primary/60 animate-breathe",
  failed: "bg-danger",
  closed: "ring-1 ring-inset ring-muted-foreground/50",
};

interface StatusDotProps {
  status: SessionStatus;
  names: Readonly<Record<SessionStatus, string>>;
  /** A restart ended its last turn. */
  isCutOff?: boolean;
}

export function StatusDot({ status, names, isCutOff }: StatusDotProps) {
  return (
    <span
      role="img"
      aria-label={names[status]}
      title={names[status]}
      className={classNames(
        "inline-block size-[7px] shrink-0 rounded-full in-data-lost:opacity-50 in-data-lost:grayscale",
        isCutOff ? "ring-2 ring-inset ring-waiting" : LOOKS[status],
      )}
    />
  );
}
