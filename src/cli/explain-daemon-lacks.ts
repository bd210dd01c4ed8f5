/** For whoever meets an agent that fails in a daemon which lacks what the shell has. */
import { IN_MEMORY } from "../config/data-location.ts";
import type { Client } from "../sdk/client.ts";
import type { Session } from "../sdk/session.ts";
import { readDaemonInfo } from "../store/sqlite/data-directory-lock.ts";
import type { Invocation } from "./command.ts";
import type { StatusOf } from "./daemon-lacks.ts";
import { daemonDirectory } from "./find-daemon.ts";

/** A sentence with the remedy; undefined where nothing is known to be lacking. */
export async function explainDaemonLacks(
  invocation: Invocation,
  agents: readonly string[],
  statusOf: StatusOf,
): Promise<string | undefined> {
  const { flags, environment, cwd } = invocation;
  // A daemon that was named by its address may be on another machine.
  const directory = await daemonDirectory(invocation);
  if (directory === undefined || directory === IN_MEMORY) return undefined;
  const daemon = readDaemonInfo(directory);
  if (!daemon) return undefined;
  const { resolveConfig } = await import("../config/resolve-config.ts");
  const { describeLacks, lacksOf } = await import("./daemon-lacks.ts");
  // All agents are loaded only here.
  const { openAgents } = await import("./open-agents.ts");
  const opened = openAgents(resolveConfig({ flags: flags.values, environment, cwd }), environment);
  const surroundings = { adapters: opened.agents, daemon, environment };
  const lacks = await lacksOf(agents, statusOf, surroundings).finally(() => opened.close());
  return lacks.size > 0 ? describeLacks(daemon, [...lacks.values()]) : undefined;
}

/** Why a turn of this session may have failed; undefined where nothing is known. Takes the code of its error. */
export type ExplainFailure = (code: string | undefined) => Promise<string | undefined>;

/** Never fails itself. */
export async function explainFailedTurn(
  invocation: Invocation,
  client: Client,
  session: Session,
  code: string | undefined,
): Promise<string | undefined> {
  try {
    const { agent } = await session.details();
    const statusOf: StatusOf = async () => {
      const { status } = await client.agents.probe(agent);
      // One that is signed in to some service may not be to the one it was to use.
      return status && code === "agent_not_signed_in" ? { ...status, signedIn: false } : status;
    };
    return await explainDaemonLacks(invocation, [agent], statusOf);
  } catch {
    return undefined;
  }
}
