/** The mark every agent process carries in its environment and hands down to all it starts. */
import type { ProcessIdentity } from "./process-table.ts";

export const OWNER_VARIABLE = "INTERLINGUA_OWNER";

const DAEMON_AND_SPAWN = /@(\d+)\.([^@#]+)#\d+$/;

/**
 * `<owner>@<pid>.<startTime>#<spawn>`. The owner is `<daemonId>` or `<daemonId>/<sessionId>`; pid and start time are
 * those of the daemon, so that nobody ends the processes of one that lives; the number tells apart the processes
 * of one owner, so that ending one agent cannot take along its successor in the same session.
 */
export function ownerMarker(owner: string, daemon: ProcessIdentity, spawn: number): string {
  return `${owner}@${daemon.pid}.${daemon.startTime}#${spawn}`;
}

export function ownerOf(marker: string): string {
  return marker.replace(DAEMON_AND_SPAWN, "");
}

/** The process of the daemon that started this one; undefined for a marker that is none of ours. */
export function daemonOf(marker: string): ProcessIdentity | undefined {
  const [, pid, startTime] = DAEMON_AND_SPAWN.exec(marker) ?? [];
  return pid === undefined || startTime === undefined ? undefined : { pid: Number(pid), startTime };
}

/** Whether this owner is the daemon itself or one of its sessions. */
export function belongsToDaemon(owner: string, daemonId: string): boolean {
  return owner === daemonId || owner.startsWith(`${daemonId}/`);
}

/** A basic regular expression for `grep` that finds the processes of one daemon by their environment. */
export function ownerPattern(daemonId: string, { pid, startTime }: ProcessIdentity): string {
  const literal = (text: string) => text.replaceAll(/[.[\]*^$\\]/g, "\\$&");
  return `${OWNER_VARIABLE}=${literal(daemonId)}[^@]*@${pid}\\.${literal(startTime)}#`;
}
