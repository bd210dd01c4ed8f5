/** The mark every agent process carries in its environment and hands down to all it starts. */

export const OWNER_VARIABLE = "INTERLINGUA_OWNER";

/**
 * `<owner>#<spawn>`. The owner is `<daemonId>` or `<daemonId>/<sessionId>`; the number tells apart the processes
 * of one owner, so that ending one agent cannot take along its successor in the same session.
 */
export function ownerMarker(owner: string, spawn: number): string {
  return `${owner}#${spawn}`;
}

/** The owner of a process with this marker. */
export function ownerOf(marker: string): string {
  return marker.replace(/#\d+$/, "");
}

/** Whether this owner is the daemon itself or one of its sessions. */
export function belongsToDaemon(owner: string, daemonId: string): boolean {
  return owner === daemonId || owner.startsWith(`${daemonId}/`);
}
