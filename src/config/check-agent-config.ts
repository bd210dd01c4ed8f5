/** Checks the settings of single agents against the known agents. None is ignored silently. Custom ones were checked before. */
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";

/** Throws a ConfigError that names the setting. `known` are the adapters by name. */
export function checkAgentConfig(
  { agent, agents }: Pick<Config, "agent" | "agents">,
  known: ReadonlyMap<string, { readonly program?: unknown }>,
): void {
  const names = [...known.keys()].join(", ");
  if (agent !== undefined && !known.has(agent)) {
    throw new ConfigError(`--agent: there is no agent "${agent}". Use one of ${names}.`);
  }
  for (const [name, settings] of Object.entries(agents)) {
    const adapter = known.get(name);
    if (!adapter) {
      throw new ConfigError(
        `agents.${name}: there is no agent "${name}". There are: ${names}. For one of your own give its protocol and command, or its module.`,
      );
    }
    if (settings.protocol !== undefined || settings.module !== undefined) continue;
    const foreign = (["url", "headers", "cwd", "options", "asks"] as const).find(
      (key) => settings[key] !== undefined,
    );
    if (foreign) {
      throw new ConfigError(
        `agents.${name}.${foreign}: ${name} comes with Interlingua and has no such setting. Take it out.`,
      );
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
