/** Where sessions of the running daemon may work, and whether that holds for where the command was called. */
import { isInside } from "../../core/is-inside.ts";
import type { DaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import type { Finding } from "./finding.ts";

/** Nothing for a daemon of an earlier version, which does not say. */
export function checkRoots({ roots, canAddRoots }: DaemonInfo, here: string): Finding[] {
  if (roots === undefined) return [];
  const about = "roots";
  const places = `the daemon's sessions may work in ${roots.join(", ")}`;
  if (roots.some((root) => isInside(here, root))) return [{ about, state: "ok", detail: places }];
  const remedy = canAddRoots
    ? "run and chat ask whether a new session may work here; --add-root says so beforehand"
    : `end it with \`interlingua stop\`, then start it again with --root ${here}`;
  return [{ about, state: "warning", detail: `${places}, which is not here: ${remedy}.` }];
}
