/** Lists messages of a running daemon's agents that nothing uses: a hint that an agent has new features. */
import type { AgentView } from "../../engine/engine.ts";
import { callJson } from "../daemon-client.ts";
import { daemonOn } from "../find-daemon.ts";
import type { Finding } from "./finding.ts";

const NAMES_SHOWN = 5;

/** Harmless, so only agents with such messages are listed. */
export async function checkUnread(directory: string, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    const daemon = daemonOn(directory, environment);
    const { agents } = await callJson<{ agents: AgentView[] }>(daemon, "/v1/agents");
    const views = await Promise.all(
      agents.map(({ name }) => callJson<AgentView>(daemon, `/v1/agents/${encodeURIComponent(name)}`)),
    );
    return views.filter(({ unread = [] }) => unread.length > 0).map(describe);
  } catch (error) {
    return [{ about: "unused", state: "warning", detail: (error as Error).message }];
  }
}

function describe({ name, unread = [] }: AgentView): Finding {
  const shown = unread.slice(0, NAMES_SHOWN).map(({ native, count }) => `${native} (${count})`);
  const rest = unread.length - shown.length;
  const detail = [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
  return { about: `unused ${name}`, state: "ok", detail };
}
