/** What the config file says about a single agent. */
import { z } from "zod";
import { environmentSchema } from "../core/environment.ts";
import { settingValueSchema } from "../core/setting.ts";
import { ConfigError } from "./config-error.ts";

const word = z.string().min(1, "must not be empty");

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is no name of a header; use letters, digits and hyphens");
const headerValue = z.string().regex(/^[\t\x20-\x7e]*$/, "may hold only visible ASCII characters and spaces");

const words = z.array(word).max(1000, "has room for 1000");

const asksSchema = z
  .strictObject({
    /** It asks as it comes, with no mode chosen. */
    byDefault: z.boolean(),
    modes: words,
    /** The values of its settings with which it still asks, by setting. */
    settings: z.record(word, z.array(settingValueSchema).max(1000, "has room for 1000")),
    /** The slash commands that change nothing. */
    commands: words,
  })
  .partial();

export const agentConfigSchema = z
  .strictObject({
    /** The protocol of a custom agent. Its `command` or `url` is required then. */
    protocol: z.enum(["acp"]),
    /** Where a custom agent that runs elsewhere is reached. */
    url: word,
    /** What it is sent when a WebSocket is opened, with `$NAME` as in `env`. Every value is secret. */
    headers: z.record(headerName, headerValue),
    /** The directory it works in there, in place of the session's. */
    cwd: word,
    /** The file whose default export is the adapter. It runs inside the daemon. */
    module: word,
    /** For the adapter of a module. */
    options: z.record(z.string(), z.unknown()),
    /** The program, or the program with arguments that come before the agent's own. */
    command: z.union([word, z.array(word).min(1, "needs at least the program")]),
    /** `auto` installs it when a session needs it, `never` not even when asked to. */
    install: z.enum(["auto", "never"]),
    /** `$NAME` stands for a variable of the daemon's own environment. Which values are secret: `plainVariables`. */
    env: environmentSchema,
    /** When a custom agent asks before it acts, and which of its commands change nothing. */
    asks: asksSchema,
  })
  .partial();

export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** The names of agents that only the config knows. */
export function customNames(agents: Readonly<Record<string, AgentConfig>>): string[] {
  return Object.keys(agents).filter((name) => agents[name]!.protocol ?? agents[name]!.module);
}

/** A custom agent: one that speaks a protocol of ours, here or elsewhere. */
interface ConfiguredCustomAgent {
  name: string;
  protocol: "acp";
  remote?: { url: string; cwd?: string; headers: Record<string, string> };
  asks?: AgentConfig["asks"];
}

/** The custom agents. Headers of those that run elsewhere are secret: never log them. */
export function customAgents(
  agents: Readonly<Record<string, AgentConfig>>,
  environment: NodeJS.ProcessEnv,
): ConfiguredCustomAgent[] {
  return Object.entries(agents).flatMap(([name, { protocol, url, cwd, headers = {}, asks }]) => {
    if (!protocol) return [];
    if (url === undefined) return [{ name, protocol, asks }];
    const expanded = expandValues(`agents.${name}.headers`, headers, environment);
    return [{ name, protocol, asks, remote: { url, cwd, headers: expanded } }];
  });
}

export function moduleAgents(
  agents: Readonly<Record<string, AgentConfig>>,
): { name: string; module: string; options?: Record<string, unknown>; asks?: AgentConfig["asks"] }[] {
  return Object.entries(agents).flatMap(([name, { module, options, asks }]) =>
    module === undefined ? [] : [{ name, module, options, asks }],
  );
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
    Object.entries(agents).map(([agent, { env = {} }]) => [
      agent,
      expandValues(`agents.${agent}.env`, env, environment),
    ]),
  );
}

/** Puts the daemon's variables into values. Throws a ConfigError for one that is not set. */
export function expandValues(
  setting: string,
  values: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const entries = Object.entries(values).map(([name, text]) => {
    const value = text.replace(VARIABLE, (_, plain, braced) => {
      const variable: string | undefined = plain ?? braced;
      if (variable === undefined) return "$";
      const found = environment[variable];
      if (found !== undefined) return found;
      throw new ConfigError(
        `${setting}.${name}: the variable ${variable} is not set. Set it, or write $$ for a dollar sign.`,
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
