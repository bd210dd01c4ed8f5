/** `interlingua agents install`: puts an agent's program into the data directory. */
import type { InstalledAgent } from "../../protocol/commands/command-types.ts";
import type { Client } from "../../sdk/client.ts";
import { CLIENT_OPTIONS, type CommandBody, type Invocation, JSON_OPTION } from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { NoDaemonError } from "../find-daemon.ts";
import { InstallProgressLine } from "../install-progress.ts";
import { print, printJson } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

const DAEMON_GONE = "The daemon stopped before the agent was installed. Start it and try again.";

export const agentsInstall: CommandBody = {
  positionals: ["NAME"],
  details:
    "Exact versions from npm, checked against their integrity; no install scripts are run. A running daemon\n" +
    "does it, and goes on when you leave; else it is done here. Exit code 0 when it is installed, else 1.",
  options: { ...JSON_OPTION, ...CLIENT_OPTIONS },
  async run(invocation) {
    const [agent = ""] = invocation.positionals;
    const line = new InstallProgressLine(agent);
    const { version, path } = await install(agent, invocation, line).finally(() => line.end());
    if (invocation.flags.on("json")) printJson({ agent, version, path });
    else print(`${agent} ${version} is installed: ${path}`);
    return 0;
  },
};

async function install(
  agent: string,
  invocation: Invocation,
  line: InstallProgressLine,
): Promise<InstalledAgent> {
  let client: Client;
  try {
    client = await connectDaemon(invocation);
  } catch (error) {
    if (error instanceof NoDaemonError) return installHere(agent, invocation, line);
    throw error;
  }
  return installThere(agent, client, line);
}

async function installThere(
  agent: string,
  client: Client,
  line: InstallProgressLine,
): Promise<InstalledAgent> {
  let hasBegun = false;
  try {
    for await (const frame of client.agents.install(agent)) {
      hasBegun = true;
      if (frame.phase === "installed") return frame;
      if (frame.phase === "failed") throw new InstallationFailedError(frame.detail);
      line.show(frame);
    }
  } catch (error) {
    if (!hasBegun || error instanceof InstallationFailedError) throw error;
    throw new Error(DAEMON_GONE, { cause: error });
  }
  throw new Error(DAEMON_GONE);
}

class InstallationFailedError extends Error {}

async function installHere(
  agent: string,
  { flags, environment, cwd }: Invocation,
  line: InstallProgressLine,
): Promise<InstalledAgent> {
  const { resolveConfig } = await import("../../config/resolve-config.ts");
  const { programFile, requirePreset } = await import("../../core/program.ts");
  const { agentNotFound } = await import("../../protocol/refusals.ts");
  // All agents are loaded only here.
  const { openAllAgents } = await import("../open-agents.ts");
  const config = resolveConfig({ flags: flags.values, environment, cwd });
  const { agents, programs, close } = await openAllAgents(config, environment);
  const stop = new AbortController();
  void stopSignal({}).then(() => stop.abort(new Error("Stopped. Nothing was installed.")));
  try {
    const adapter = agents.get(agent);
    if (!adapter) throw agentNotFound(agent, [...agents.keys()]);
    const preset = requirePreset(adapter);
    const program = await programs.install(preset, {
      signal: stop.signal,
      onProgress: (progress) => line.show(progress),
    });
    return { version: preset.version, path: programFile(program) };
  } finally {
    await close();
  }
}
