/** The agents as a person looks for them: those used last, those that can be used, and what the others need. */
import type { Agent } from "../api/types.ts";
import { needsProgram } from "./needs-program.ts";

export type AgentReadiness = "ready" | "signed-out" | "missing" | "unknown";

export interface AgentGroup {
  name: string;
  agents: readonly Agent[];
}

const MAX_RECENT = 3;

const NAMES: Readonly<Record<AgentReadiness, string>> = {
  ready: "Ready",
  unknown: "Being looked for",
  "signed-out": "Needs to be signed in",
  missing: "Not installed",
};

export function readinessOf({ status }: Pick<Agent, "status">): AgentReadiness {
  if (!status) return "unknown";
  if (needsProgram(status)) return "missing";
  return status.signedIn === false ? "signed-out" : "ready";
}

/** `recent` has the names of those used last, the last one first. */
export function groupAgents(agents: readonly Agent[], recent: readonly string[]): AgentGroup[] {
  const last = recent
    .flatMap((name) => agents.find((agent) => agent.name === name) ?? [])
    .slice(0, MAX_RECENT);
  const others = agents
    .filter((agent) => !last.includes(agent))
    .toSorted((one, other) => Number(isMock(one)) - Number(isMock(other)) || compareTitles(one, other));
  const groups = (Object.keys(NAMES) as AgentReadiness[]).map((readiness) => ({
    name: NAMES[readiness],
    agents: others.filter((agent) => readinessOf(agent) === readiness),
  }));
  return [{ name: "Used last", agents: last }, ...groups].filter((group) => group.agents.length > 0);
}

/** Good for a first look, and after that seldom meant. */
function isMock({ name }: Agent): boolean {
  return name === "mock";
}

function compareTitles({ title: one }: Agent, { title: other }: Agent): number {
  return one.localeCompare(other, "en", { sensitivity: "base" });
}
