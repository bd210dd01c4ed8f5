/** Checks whether the agents can be used: by the daemon that runs, else by one that would be started from here. */
import { checkAgentConfig } from "../../config/check-agent-config.ts";
import { type Config, DEFAULT_AGENT } from "../../config/config.ts";
import { ConfigError } from "../../config/config-error.ts";
import type { BackendAdapter } from "../../core/adapter.ts";
import type { Agent } from "../../sdk/types.ts";
import { describeLacks, type Lack, lacksOf } from "../daemon-lacks.ts";
import { openAllAgents } from "../open-agents.ts";
import { HOW_TO_INSTALL, probeHere } from "../probe-agents.ts";
import type { Finding } from "./finding.ts";
import type { RunningDaemon } from "./running-daemon.ts";

const HOW_TO_GIVE_A_KEY = "`interlingua agents` says which keys they take";

type Probed = Pick<Agent, "name" | "status">;

export async function checkAgents(
  config: Config,
  environment: NodeJS.ProcessEnv,
  daemon?: RunningDaemon,
): Promise<Finding[]> {
  try {
    return await examine(config, environment, daemon);
  } catch (error) {
    if (error instanceof ConfigError) return [problem(error)];
    throw error;
  }
}

async function examine(
  config: Config,
  environment: NodeJS.ProcessEnv,
  daemon: RunningDaemon | undefined,
): Promise<Finding[]> {
  const opened = await openAllAgents(config, environment);
  try {
    const probed = daemon?.agents ?? (await probeHere(opened));
    const lacks = daemon ? await lacksIn(daemon, opened.agents, environment) : new Map<string, Lack>();
    const defaultAgent = daemon?.defaultAgent ?? config.agent ?? DEFAULT_AGENT;
    // Nobody needs all agents, but the default one must work. What only the daemon does not find is told once.
    const others = probed.filter(({ name }) => name !== defaultAgent);
    const missing = others.filter(({ status }) => status?.missing);
    // Those that come with Interlingua are there whether somebody wants them or not.
    const keyless = others.filter(
      ({ name, status }) => status?.signedIn === false && !opened.agents.get(name)?.program,
    );
    const told = probed.filter((agent) => !missing.includes(agent) && !keyless.includes(agent));
    const namesOf = (agents: readonly Probed[]) =>
      agents.map(({ name }) => name).filter((name) => !lacks.has(name));
    return [
      ...checkSettings(config, opened.agents),
      ...told.map((agent) => judge(agent, defaultAgent)),
      ...notNeeded("not installed", namesOf(missing), HOW_TO_INSTALL),
      ...notNeeded("without a key", namesOf(keyless), HOW_TO_GIVE_A_KEY),
      ...(daemon && lacks.size > 0 ? [environmentFinding(daemon, [...lacks.values()])] : []),
    ];
  } finally {
    await opened.close();
  }
}

function lacksIn(
  { agents, info }: RunningDaemon,
  adapters: ReadonlyMap<string, BackendAdapter>,
  environment: NodeJS.ProcessEnv,
): Promise<Map<string, Lack>> {
  const statuses = new Map(agents.map(({ name, status }) => [name, status]));
  const surroundings = { adapters, daemon: info, environment };
  return lacksOf([...statuses.keys()], (name) => statuses.get(name), surroundings);
}

function environmentFinding({ info }: RunningDaemon, lacks: readonly Lack[]): Finding {
  return { about: "environment", state: "warning", detail: describeLacks(info, lacks) };
}

function checkSettings(config: Config, agents: ReadonlyMap<string, BackendAdapter>): Finding[] {
  try {
    checkAgentConfig(config, agents);
    return [];
  } catch (error) {
    return [problem(error as Error)];
  }
}

function problem({ message }: Error): Finding {
  return { about: "agents", state: "problem", detail: message };
}

/** As `agents` puts it. */
const UNKNOWN = ", signed in: unknown until it runs";

function judge({ name, status }: Probed, defaultAgent: string): Finding {
  const about = `agent ${name}`;
  const { installed = false, signedIn, version, remedy } = status ?? {};
  if (installed && signedIn !== false && remedy === undefined)
    return {
      about,
      state: "ok",
      detail: `${version ?? "installed"}${signedIn === undefined ? UNKNOWN : ""}`,
    };
  const detail = remedy ?? (installed ? "is not signed in" : "is not installed");
  return { about, state: name === defaultAgent ? "problem" : "warning", detail };
}

function notNeeded(about: string, names: readonly string[], remedy: string): Finding[] {
  if (names.length === 0) return [];
  return [{ about, state: "ok", detail: `${names.join(", ")}. ${remedy}.` }];
}
