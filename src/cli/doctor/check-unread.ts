/** Lists messages of a running daemon's agents that nothing uses: a hint that an agent has new features. */
import type { Agent } from "../../sdk/types.ts";
import { clientOf } from "../connect-daemon.ts";
import { daemonOn } from "../find-daemon.ts";
import type { Finding } from "./finding.ts";

const NAMES_SHOWN = 5;

/** Harmless, so only agents with such messages are listed. */
export async function checkUnread(directory: string, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    const daemon = daemonOn(directory, environment);
    const { agents } = await clientOf(daemon.url, () => daemon);
    const known = await agents.list();
    const views = await Promise.all(known.map(({ name }) => agents.probe(name)));
    return views.filter(({ unread = [] }) => unread.length > 0).map(describe);
  } catch (error) {
    return [{ about: "unused", state: "warning", detail: (error as Error).message }];
  }
}

function describe({ name, unread = [] }: Agent): Finding {
  const shown = unread.slice(0, NAMES_SHOWN).map(({ native, count }) => `${native} (${count})`);
  const rest = unread.length - shown.length;
  const detail = [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
  return { about: `unused ${name}`, state: "ok", detail };
}
