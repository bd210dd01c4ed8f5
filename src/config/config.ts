/** The daemon's complete settings. resolve-config.ts gathers them. */
import type { AgentConfig } from "./agent-config.ts";
import type { ConfigFile } from "./config-file.ts";
import { defaultDataDirectory } from "./data-location.ts";
import { isInside } from "./is-inside.ts";

export interface Config {
  /** The address to listen on. */
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** An absolute path, or `:memory:` to keep nothing. */
  data: string;
  /** Given by the user, else read from `tokenFile`, else created at the first start. */
  token?: string;
  tokenFile?: string;
  /** Where sessions may work. Hooks and plugins in there run with the agent: a root is an act of trust. */
  roots: string[];
  /** The working directory of sessions that name none. */
  cwd: string;
  /** Origins of other sites whose pages may call us. */
  corsOrigins: string[];
  /** Names, with or without a port, under which we may be called besides our own address. */
  allowHosts: string[];
  /** The agent of `/api/chat` if a request names none. Clients see it as the default. */
  agent: string;
  /** Whether checkpoints of sessions' files are taken around turns. */
  checkpoints: "on" | "off";
  /** Where AgentSmithy's protocol is served without a token; nowhere when absent. 0 picks a free port. */
  agentsmithyPort?: number;
  /** The directory that is worked in there; `cwd` when absent. */
  agentsmithyWorkspace?: string;
  /** Whether turns of AgentSmithy's clients go on when these leave. */
  agentsmithyKeepRunning: boolean;
  env: {
    /** Names or `PREFIX_*` patterns of variables every agent gets. */
    pass: string[];
  };
  /** By the agent's name. Values of `env` are as they were written: expandAgentEnvironments fills in `$NAME`. */
  agents: Record<string, AgentConfig>;
  /** Limits of the engine and the server that differ from their defaults. */
  limits: NonNullable<ConfigFile["limits"]>;
}

export const DEFAULT_PORT = 4111;

/** The environment on which the defaults depend. */
export interface Surroundings {
  cwd: string;
  environment: NodeJS.ProcessEnv;
}

export function withDefaults(
  given: Partial<Config>,
  { cwd, environment }: Surroundings = { cwd: process.cwd(), environment: process.env },
): Config {
  const { agentsmithyWorkspace } = given;
  const named = given.roots ?? [cwd];
  // Naming a workspace is an act of trust, too.
  const isOutside =
    agentsmithyWorkspace !== undefined && !named.some((root) => isInside(root, agentsmithyWorkspace));
  const roots = isOutside ? [...named, agentsmithyWorkspace] : named;
  return {
    host: given.host ?? "127.0.0.1",
    port: given.port ?? DEFAULT_PORT,
    data: given.data ?? defaultDataDirectory(environment),
    token: given.token,
    tokenFile: given.tokenFile,
    roots,
    // A default outside the roots would be refused for every session.
    cwd: given.cwd ?? (roots.some((root) => isInside(root, cwd)) ? cwd : (roots[0] ?? cwd)),
    corsOrigins: given.corsOrigins ?? [],
    allowHosts: given.allowHosts ?? [],
    agent: given.agent ?? "mock",
    checkpoints: given.checkpoints ?? (environment.INTERLINGUA_CHECKPOINTS === "off" ? "off" : "on"),
    agentsmithyPort: given.agentsmithyPort,
    agentsmithyWorkspace,
    agentsmithyKeepRunning: given.agentsmithyKeepRunning ?? false,
    env: given.env ?? { pass: [] },
    agents: given.agents ?? {},
    limits: given.limits ?? {},
  };
}
