/** A warning where the agent does everything without asking. */
import { ShieldAlert } from "lucide-react";
import { findBypass } from "../../../src/core/find-bypass.ts";
import type { SessionDetails } from "../api/types.ts";

/** By its modes and by its settings, as it has them now. */
export function isAllAllowed(session: SessionDetails | undefined): boolean {
  if (!session) return false;
  const { mode, permissionMode, settings = [] } = session;
  const values = Object.fromEntries(settings.map(({ id, value }) => [id, value]));
  return findBypass({ mode, permissionMode, settings: values }) !== undefined;
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
