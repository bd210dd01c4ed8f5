/** A warning where the agent does everything without asking. */
import { ShieldAlert } from "lucide-react";
import type { SessionDetails } from "../api/types.ts";

/** As the daemon says it. */
export function isAllAllowed(session: SessionDetails | undefined): boolean {
  return session?.asks.asks === "no";
}

/** Whether this field is why: `mode`, `permissionMode` or `settings.ID`. */
export function allowsAll({ asks }: SessionDetails, path: string): boolean {
  return asks.asks === "no" && asks.path === path;
}

export function AllowedChip({ session }: { session: SessionDetails | undefined }) {
  if (!isAllAllowed(session)) return null;
  return (
    <span
      data-all-allowed
      title="The agent runs commands and changes files without asking"
      className="inline-flex h-6 shrink-0 items-center gap-1 rounded-full border border-danger-border bg-danger-soft px-2 font-medium text-2xs text-danger-text"
    >
      <ShieldAlert className="size-3.5" aria-hidden="true" />
      Everything is allowed
    </span>
  );
}
