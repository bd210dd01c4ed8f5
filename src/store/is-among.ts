/** Whether a list that is limited to certain sessions may have this one. */
import type { OnlyThese } from "../core/store.ts";

export function isAmong(only: OnlyThese | undefined, { id, agent }: { id: string; agent: string }): boolean {
  return (only?.sessions?.includes(id) ?? true) && (only?.agents?.includes(agent) ?? true);
}
