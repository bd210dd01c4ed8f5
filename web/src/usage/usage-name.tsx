/** What usage is listed under, as people call it. */
import { Folder } from "lucide-react";
import { useCallback } from "react";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { linkTo } from "../route.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { folderName } from "../ui/format.ts";
import type { UsageKey } from "./usage-groups.ts";

/** The text for a name: of an agent its title, of a directory its last folder, of a session its title. */
export function useUsageNames(key: UsageKey): (name: string) => string {
  const agentName = useAgentNames();
  const { sessions } = useFeed();
  return useCallback(
    (name: string) => {
      if (key === "agent") return agentName(name);
      if (key === "model") return name || "Model not known";
      if (key === "directory") return folderName(name) || "Directory not known";
      const summary = sessions.get(name);
      if (!summary) return "Deleted session";
      return summary.title?.trim() || `Session with ${agentName(summary.agent)}`;
    },
    [key, agentName, sessions],
  );
}

export function UsageName({ by, name, label }: { by: UsageKey; name: string; label: string }) {
  const { sessions } = useFeed();
  if (by === "session" && sessions.has(name)) {
    return (
      <>
        <AgentIcon agent={sessions.get(name)!.agent} className="size-4" />
        <a
          href={linkTo({ view: "session", session: name })}
          className="truncate underline-offset-2 hover:underline touch:leading-10"
        >
          {label}
        </a>
      </>
    );
  }
  return (
    <>
      {by === "agent" && <AgentIcon agent={name} className="size-4" />}
      {by === "directory" && <Folder aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />}
      <span className="truncate" title={name || undefined}>
        {label}
      </span>
    </>
  );
}
