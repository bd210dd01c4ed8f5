/** Checks the settings of single agents against the known agents. None is ignored silently. */
import type { AgentConfig } from "./agent-config.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";

/** Throws a ConfigError that names the setting. `known` are the adapters by name. */
export function checkAgentConfig(
  { agent, agents }: Pick<Config, "agent" | "agents">,
  known: ReadonlyMap<string, { readonly program?: unknown }>,
): void {
  const names = [...known.keys()].join(", ");
  if (!known.has(agent)) {
    throw new ConfigError(`--agent: there is no agent "${agent}". Use one of ${names}.`);
  }
  for (const [name, settings] of Object.entries(agents)) {
    const adapter = known.get(name);
    if (!adapter) {
      throw new ConfigError(
        `agents.${name}: there is no agent "${name}". There are: ${names}. For one of your own give its protocol and command.`,
      );
    }
    if (settings.protocol !== undefined) {
      checkCustomAgent(name, settings);
      continue;
    }
    if (adapter.program !== undefined) continue;
    const unusable = (["command", "install"] as const).find((key) => settings[key] !== undefined);
    if (unusable) {
      throw new ConfigError(
        `agents.${name}.${unusable}: ${name} comes with Interlingua and runs no other program. Take the setting out.`,
      );
    }
  }
}

function checkCustomAgent(name: string, { command, install }: AgentConfig): void {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
    throw new ConfigError(`agents.${name}: use up to 64 letters, digits, dots, underscores or hyphens.`);
  }
  if (command === undefined) {
    throw new ConfigError(
      `agents.${name}.command: an agent with a protocol needs its command, as in ["my-agent", "--acp"].`,
    );
  }
  if (install !== undefined) {
    throw new ConfigError(
      `agents.${name}.install: only agents that come with Interlingua can be installed. Take the setting out.`,
    );
  }
}
