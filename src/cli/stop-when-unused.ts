/** For a daemon that was started for a command: it ends when nothing has used it for a while. */
import { setTimeout as delay } from "node:timers/promises";
import type { Daemon } from "../daemon.ts";

/** How often it is looked, in a part of the while. */
const LOOKS = 10;

/** Resolves when it was unused for so long; never when nobody says how long. */
export async function unusedFor(daemon: Daemon, milliseconds: number | undefined): Promise<"unused"> {
  let last: number | undefined;
  let unusedLooks = 0;
  while (milliseconds === undefined || unusedLooks < LOOKS) {
    await delay((milliseconds ?? 2 ** 31 - 1) / LOOKS, undefined, { ref: false });
    // What cannot be found out is no reason to end.
    const count = await daemon.activityCount().catch(() => undefined);
    unusedLooks = count !== undefined && count === last ? unusedLooks + 1 : 0;
    last = count;
  }
  return "unused";
}
