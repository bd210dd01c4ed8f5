/** Changes of a session's labels: its title, and where lists show it. They are possible also after its end. */
import type { SessionState } from "../../core/session-state.ts";
import type { UpdateSession } from "../../protocol/commands/command-types.ts";

const LABELS: readonly string[] = ["title", "pinned", "archived"];

/** Whether a request changes labels and nothing else. */
export function onlyLabels(change: UpdateSession): boolean {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return given.length > 0 && given.every(([name]) => LABELS.includes(name));
}

/** Without what the session is already: to pin it twice is one event. */
export function withoutKnownLabels<Fields extends Pick<UpdateSession, "pinned" | "archived">>(
  { pinned, archived, ...fields }: Fields,
  state: Pick<SessionState, "pinned" | "archived">,
): Omit<Fields, "pinned" | "archived"> & Pick<UpdateSession, "pinned" | "archived"> {
  return {
    ...fields,
    ...(pinned !== undefined && pinned !== (state.pinned ?? false) && { pinned }),
    ...(archived !== undefined && archived !== (state.archived ?? false) && { archived }),
  };
}
