/** A note for whoever meets an agent that fails in a daemon which lacks what the shell has. */
import { IN_MEMORY } from "../config/data-location.ts";
import type { Agent } from "../sdk/types.ts";
import { readDaemonInfo } from "../store/sqlite/data-directory-lock.ts";
import type { Invocation } from "./command.ts";
import { daemonDirectory } from "./find-daemon.ts";
import { printNote } from "./output.ts";

/** @param seen What the daemon says of the agents in question. */
export async function noteDaemonLacks(
  invocation: Invocation,
  seen: readonly Pick<Agent, "name" | "status">[],
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
  const lacks = await lacksOf(seen, opened.agents, daemon, environment).finally(() => opened.close());
  if (lacks.size > 0) printNote(describeLacks(daemon, [...lacks.values()]));
}
