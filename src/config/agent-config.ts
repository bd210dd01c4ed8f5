/** What the config file says about a single agent. */
import { z } from "zod";
import { environmentSchema } from "../core/environment.ts";
import { ConfigError } from "./config-error.ts";

const word = z.string().min(1, "must not be empty");

export const agentConfigSchema = z
  .strictObject({
    /** The protocol of a custom agent. Its `command` is required then. */
    protocol: z.enum(["acp"]),
    /** The program, or the program with arguments that come before the agent's own. */
    command: z.union([word, z.array(word).min(1, "needs at least the program")]),
    /** `auto` installs it when a session needs it, `never` not even when asked to. */
    install: z.enum(["auto", "never"]),
    /** `$NAME` stands for a variable of the daemon's own environment. Which values are secret: `plainVariables`. */
    env: environmentSchema,
  })
  .partial();

export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** The custom agents. */
export function customAgents(
  agents: Readonly<Record<string, AgentConfig>>,
): { name: string; protocol: "acp" }[] {
  return Object.entries(agents).flatMap(([name, { protocol }]) => (protocol ? [{ name, protocol }] : []));
}

const VARIABLE = /\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/**
 * The variables the config adds to the environment of agents, with their values. Some are secret: never log it.
 *
 * @example expandAgentEnvironments({ claude: { env: { ANTHROPIC_API_KEY: "$WORK_KEY" } } }, process.env)
 */
export function expandAgentEnvironments(
  agents: Readonly<Record<string, AgentConfig>>,
  environment: NodeJS.ProcessEnv,
): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(agents).map(([agent, settings]) => [agent, expand(agent, settings, environment)]),
  );
}

function expand(
  agent: string,
  { env = {} }: AgentConfig,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const entries = Object.entries(env).map(([name, text]) => {
    const value = text.replace(VARIABLE, (_, plain, braced) => {
      const variable: string | undefined = plain ?? braced;
      if (variable === undefined) return "$";
      const found = environment[variable];
      if (found !== undefined) return found;
      throw new ConfigError(
        `agents.${agent}.env.${name}: the variable ${variable} is not set. Set it, or write $$ for a dollar sign.`,
      );
    });
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/**
 * An agent's variables that are plain settings. The others are masked wherever they appear: those taken from a variable
 * of the daemon, named like a key, or an address with a user or password in it.
 */
export function plainVariables({ env = {} }: AgentConfig, values: Record<string, string>): string[] {
  return Object.keys(env).filter((name) => {
    const value = values[name] ?? "";
    const isTaken = [...env[name]!.matchAll(VARIABLE)].some(([variable]) => variable !== "$$");
    const isKey = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name) && !/^\d+$/.test(value);
    return !isTaken && !isKey && !/:\/\/[^\s/?#]+@/.test(value);
  });
}
