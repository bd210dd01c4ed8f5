/** Lists messages of a running daemon's agents that nothing uses: a hint that an agent has new features. */
import type { Agent } from "../../sdk/types.ts";
import type { Finding } from "./finding.ts";

const NAMES_SHOWN = 5;

/** Harmless, so only agents with such messages are listed. */
export function checkUnread(agents: readonly Agent[]): Finding[] {
  return agents.filter(({ unread = [] }) => unread.length > 0).map(describe);
}

function describe({ name, unread = [] }: Agent): Finding {
  const shown = unread.slice(0, NAMES_SHOWN).map(({ native, count }) => `${native} (${count})`);
  const rest = unread.length - shown.length;
  const detail = [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
  return { about: `unused ${name}`, state: "ok", detail };
}
