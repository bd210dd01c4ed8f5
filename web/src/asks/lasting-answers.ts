/**
 * What people allowed in a session for more than once, the newest first and each once. A change of the permission mode is
 * left out: the setting itself says what is in force. Pure.
 */
import type { AlwaysAllowed, SessionDetails } from "../api/types.ts";
import { PERMISSION_NAMES } from "../shell/permission-names.ts";

export function lastingAnswers(session: SessionDetails | undefined): AlwaysAllowed[] {
  const { alwaysAllowed = [] } = session ?? {};
  const byReach = new Map<string, AlwaysAllowed>();
  for (const answer of alwaysAllowed.toReversed()) {
    const { covers, label, storedIn, title } = answer;
    if (covers?.length === 1 && Object.hasOwn(PERMISSION_NAMES, covers[0]!)) continue;
    const reach = JSON.stringify([covers ?? title, label, storedIn]);
    if (!byReach.has(reach)) byReach.set(reach, answer);
  }
  return [...byReach.values()];
}
