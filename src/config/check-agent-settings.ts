/** Whether the settings of single agents fit the agents there are. None is ignored silently. */
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";

/** Throws a ConfigError that names the setting. `known` are the adapters by name. */
export function checkAgentSettings(
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
      throw new ConfigError(`agents.${name}: there is no agent "${name}". There are: ${names}.`);
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
