/** `interlingua agents install`: puts an agent's program into the data directory. */
import { resolveConfig } from "../../config/resolve-config.ts";
import { programFile, requirePreset } from "../../core/program.ts";
import type { InstalledAgent } from "../../engine/engine.ts";
import { readEventStream } from "../../protocol/read-event-stream.ts";
import type { InstallationFrame } from "../../protocol/schemas/service.ts";
import { CLIENT_OPTIONS, type CliCommand, type Invocation, JSON_OPTION } from "../command.ts";
import { call } from "../daemon-client.ts";
import { type DaemonAddress, findDaemon, NoDaemonError } from "../find-daemon.ts";
import { InstallProgressLine } from "../install-progress.ts";
import { openAgents } from "../open-agents.ts";
import { print, printJson } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

const DAEMON_GONE = "The daemon stopped before the agent was installed. Start it and try again.";

export const agentsInstall: CliCommand = {
  name: "agents install",
  positionals: ["NAME"],
  summary: "Install an agent's program into the data directory",
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
  let daemon: DaemonAddress;
  try {
    daemon = await findDaemon(invocation);
  } catch (error) {
    if (error instanceof NoDaemonError) return installHere(agent, invocation, line);
    throw error;
  }
  return installThere(agent, daemon, line);
}

async function installThere(
  agent: string,
  daemon: DaemonAddress,
  line: InstallProgressLine,
): Promise<InstalledAgent> {
  const path = `/v1/agents/${encodeURIComponent(agent)}/install`;
  const response = await call(daemon, path, { method: "POST", accept: "text/event-stream" });
  const last = await followFrames(response.body!, line).catch((cause) => {
    throw new Error(DAEMON_GONE, { cause });
  });
  if (last?.phase === "installed") return last;
  throw new Error(last?.phase === "failed" ? last.detail : DAEMON_GONE);
}

/** Returns the last frame. */
async function followFrames(
  body: ReadableStream<Uint8Array>,
  line: InstallProgressLine,
): Promise<InstallationFrame | undefined> {
  let last: InstallationFrame | undefined;
  for await (const { data } of readEventStream(body)) {
    last = JSON.parse(data) as InstallationFrame;
    if (last.phase !== "installed" && last.phase !== "failed") line.show(last);
  }
  return last;
}

async function installHere(
  agent: string,
  { flags, environment, cwd }: Invocation,
  line: InstallProgressLine,
): Promise<InstalledAgent> {
  const config = resolveConfig({ flags: flags.values, environment, cwd });
  const { agents, programs, close } = openAgents(config, environment);
  const stop = new AbortController();
  void stopSignal({}).then(() => stop.abort(new Error("Stopped. Nothing was installed.")));
  try {
    const adapter = agents.get(agent);
    if (!adapter) {
      throw new Error(`There is no agent "${agent}". There are: ${[...agents.keys()].join(", ")}.`);
    }
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
