/** How an invitation stands, in a few words. Pure. */
import type { Invitation } from "../api/types.ts";
import { formatAge } from "../ui/format.ts";

export function invitationState({ expiresAt, usedAt }: Invitation, now: number): string {
  if (usedAt !== undefined) return `Used ${ago(formatAge(usedAt, now))}`;
  if (expiresAt <= now) return "Expired without being used";
  return `Not used yet; works for another ${formatLeft(expiresAt - now)}`;
}

function ago(age: string): string {
  return age === "now" ? "just now" : `${age} ago`;
}

function formatLeft(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return `${Math.round(minutes / 60)} h`;
}
