/** The agent of a new session where nobody named one. */
import { MODEL_AGENTS } from "../../agents/model/manifest.ts";
import { DEFAULT_AGENT } from "../../config/config.ts";
import type { Client } from "../../sdk/client.ts";
import { probeAll } from "../probe-agents.ts";
import { UsageError } from "../usage-error.ts";

export interface ChosenAgent {
  readonly agent: string;
  /** Which agent answers, and why. */
  readonly note: string;
}

interface AgentChoiceOptions {
  /** Where the session will work. */
  readonly cwd: string;
  /** Whether somebody reads which agent it is. A script gets the default of the daemon, whatever was used before. */
  readonly isPerson: boolean;
}

/** Sessions of agents that are gone are passed over. More of them than this are not looked through. */
const MAX_SESSIONS = 20;

/** The mock, and the model agent's names for one provider: a single key makes each of those ready together with `model`. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  DEFAULT_AGENT,
  ...MODEL_AGENTS.filter(({ provider }) => provider !== undefined).map(({ name }) => name),
]);

/**
 * The default that the daemon's settings name. Else the agent of the session that changed last in this directory, or
 * anywhere. Else the only agent besides the mock that is ready.
 */
export async function chooseAgent(
  client: Client,
  { cwd, isPerson }: AgentChoiceOptions,
): Promise<ChosenAgent> {
  if (!isPerson) {
    const agent = await client.agents.default();
    return { agent, note: `No --agent was named, so ${agent} answers.` };
  }
  const configured = await client.agents.configuredDefault();
  if (configured !== undefined) return chosen(configured, "it is the daemon's default");
  const known = new Set((await client.agents.list()).map(({ name }) => name));
  const here = await lastUsed(client, known, cwd);
  if (here !== undefined) return chosen(here, "it was used last in this directory");
  const anywhere = await lastUsed(client, known);
  if (anywhere !== undefined) return chosen(anywhere, "it was used last");
  return onlyReady(client);
}

function chosen(agent: string, reason: string): ChosenAgent {
  return { agent, note: `${agent} answers: ${reason}. Choose another with --agent.` };
}

async function lastUsed(
  client: Client,
  known: ReadonlySet<string>,
  cwd?: string,
): Promise<string | undefined> {
  let seen = 0;
  for await (const { agent } of client.sessions.list({ cwd, limit: MAX_SESSIONS })) {
    if (known.has(agent)) return agent;
    if (++seen === MAX_SESSIONS) return undefined;
  }
  return undefined;
}

async function onlyReady(client: Client): Promise<ChosenAgent> {
  const ready = (await probeAll(client)).filter(
    ({ name, status }) =>
      !PASSED_OVER.has(name) && status?.installed && status.signedIn !== false && status.remedy === undefined,
  );
  const [only, other] = ready;
  if (only === undefined)
    return chosen(DEFAULT_AGENT, "no other agent is ready, and interlingua agents says what each needs");
  if (other === undefined) return chosen(only.name, "it is the only agent that is ready");
  throw new UsageError(
    `Several agents are ready: ${ready.map(({ name }) => name).join(", ")}. Choose one with --agent; the next session takes the agent used last.`,
  );
}
