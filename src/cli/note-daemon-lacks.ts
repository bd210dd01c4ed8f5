/** A note for whoever meets an agent that fails in a daemon which lacks what the shell has. */
import { IN_MEMORY } from "../config/data-location.ts";
import { readDaemonInfo } from "../store/sqlite/data-directory-lock.ts";
import type { Invocation } from "./command.ts";
import type { StatusOf } from "./daemon-lacks.ts";
import { daemonDirectory } from "./find-daemon.ts";
import { printNote } from "./output.ts";

export async function noteDaemonLacks(
  invocation: Invocation,
  agents: readonly string[],
  statusOf: StatusOf,
): Promise<void> {
  const { flags, environment, cwd } = invocation;
  // A daemon that was named by its address may be on another machine.
  const directory = await daemonDirectory(invocation);
  if (directory === undefined || directory === IN_MEMORY) return;
  const daemon = readDaemonInfo(directory);
  if (!daemon) return;
  const { resolveConfig } = await import("../config/resolve-config.ts");
  const { describeLacks, lacksOf } = await import("./daemon-lacks.ts");
  // All agents are loaded only here.
  const { openAgents } = await import("./open-agents.ts");
  const opened = openAgents(resolveConfig({ flags: flags.values, environment, cwd }), environment);
  const surroundings = { adapters: opened.agents, daemon, environment };
  const lacks = await lacksOf(agents, statusOf, surroundings).finally(() => opened.close());
  if (lacks.size > 0) printNote(describeLacks(daemon, [...lacks.values()]));
}
