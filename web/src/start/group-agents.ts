/** The agents as a person looks for them: those used last, those that can be used, and what the others need. */
import type { Agent } from "../api/types.ts";

export type AgentReadiness = "ready" | "signed-out" | "missing" | "unknown";

export interface AgentGroup {
  name: string;
  agents: readonly Agent[];
}

const MAX_RECENT = 3;

/** Those that most people look for, before the others. */
const WELL_KNOWN = ["claude", "codex", "gemini", "opencode", "copilot", "amp"];

export function readinessOf({ status }: Pick<Agent, "status">): AgentReadiness {
  if (!status) return "unknown";
  if (needsProgram(status)) return "missing";
  return status.signedIn === false ? "signed-out" : "ready";
}

/** What is missing before it can be used; undefined where nothing is. */
export function needOf(agent: Pick<Agent, "status" | "installable">): string | undefined {
  const readiness = readinessOf(agent);
  if (readiness === "signed-out") return "Sign in";
  if (readiness === "missing") return agent.installable ? "Install" : "Not installed";
  return undefined;
}

/** `recent` has the names of those used last, the last one first. */
export function groupAgents(agents: readonly Agent[], recent: readonly string[]): AgentGroup[] {
  const last = recent
    .flatMap((name) => agents.find((agent) => agent.name === name) ?? [])
    .slice(0, MAX_RECENT);
  const others = agents
    .filter((agent) => !last.includes(agent))
    .toSorted((one, other) => placeOf(one) - placeOf(other) || compareTitles(one, other));
  const direct = others.filter((agent) => !isOtherWay(agent));
  return [
    { name: "Used last", agents: last },
    { name: "Ready", agents: direct.filter((agent) => readinessOf(agent) === "ready") },
    { name: "Being looked for", agents: direct.filter((agent) => readinessOf(agent) === "unknown") },
    { name: "To be set up", agents: direct.filter((agent) => needOf(agent) !== undefined) },
    { name: "By another way", agents: others.filter(isOtherWay) },
  ].filter((group) => group.agents.length > 0);
}

/** The mock is good for a first look, and after that seldom meant. */
function placeOf({ name }: Agent): number {
  const place = WELL_KNOWN.indexOf(name);
  return name === "mock" ? WELL_KNOWN.length + 1 : place < 0 ? WELL_KNOWN.length : place;
}

/** An agent that has an adapter of its own, over ACP. */
function isOtherWay({ name }: Agent): boolean {
  return name.endsWith("-acp");
}

function compareTitles({ title: one }: Agent, { title: other }: Agent): number {
  return one.localeCompare(other, "en", { sensitivity: "base" });
}

/** Whether it needs another program: there is none, or the one that is there will not do. */
export function needsProgram({ installed, signedIn, remedy }: NonNullable<Agent["status"]>): boolean {
  return !installed || (remedy !== undefined && signedIn !== false);
}
