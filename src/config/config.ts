/** The daemon's complete settings. resolve-config.ts gathers them. */
import { resolve } from "node:path";
import { agentNameOf } from "../core/agent-alias.ts";
import { isInside } from "../core/is-inside.ts";
import type { ModelProviders, WebAccess } from "../core/model-provider.ts";
import type { NotifySetting } from "../core/notify-target.ts";
import type { OnLost } from "../core/on-lost.ts";
import type { AgentConfig } from "./agent-config.ts";
import type { ConfigFile } from "./config-file.ts";
import { defaultDataDirectory } from "./data-location.ts";
import type { DialectConfig } from "./dialect-config.ts";

export interface Config {
  /** The address to listen on. */
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** An absolute path, or `:memory:` to keep nothing. */
  data: string;
  /** The address of the PostgreSQL database that keeps the sessions, with its password; a file in `data` when absent. */
  store?: string;
  /** The secret that the nodes of a cluster share. With it, other daemons with the same may use the same `store`. */
  clusterSecret?: string;
  /** Where other nodes reach this one, as in `https://box-1.internal:4112`; a free port of the loopback when absent. */
  advertise?: string;
  /** Whether nodes may speak without TLS off the loopback. */
  clusterInsecure: boolean;
  /** How nodes know each other, and where this one listens for them. */
  cluster: NonNullable<ConfigFile["cluster"]>;
  /** What other nodes and people call this daemon; the name of the machine when absent. */
  nodeName?: string;
  /** Given by the user, else read from `tokenFile`, else created at the first start. */
  token?: string;
  /** A token that is taken besides, while clients and other nodes change to `token`. */
  formerToken?: string;
  tokenFile?: string;
  /** Where sessions may work. Hooks and plugins in there run with the agent: a root is an act of trust. */
  roots: string[];
  /** Those of `roots` that all nodes of a cluster see under the same path, with the same files. */
  sharedRoots: string[];
  /** Those of `roots` in which each node of a cluster has clones of its own, under the same paths. */
  gitRoots: string[];
  /** The working directory of sessions that name none. */
  cwd: string;
  /** Origins of other sites whose pages may call us. */
  corsOrigins: string[];
  /** Names, with or without a port, under which we may be called besides our own address. */
  allowHosts: string[];
  /** The agent of `/api/chat` if a request names none. Clients see it as the default; DEFAULT_AGENT when absent. */
  agent?: string;
  /** Whether checkpoints of sessions' files are taken around turns. */
  checkpoints: "on" | "off";
  /** Whether new sessions continue a turn that was cut off, unless they say so themselves. */
  onLost: OnLost;
  /** Where the nodes of a cluster keep checkpoints of shared roots, the same for all; in `data` of each when absent. */
  checkpointDirectory?: string;
  /** The port at whose root clients of AgentSmithy are served, without a token; 0 picks one. None when absent. */
  agentsmithyPort?: number;
  /** The one directory that port works in; `cwd` when absent. */
  agentsmithyWorkspace?: string;
  /** Whether a turn goes on when the client of AgentSmithy that began it leaves. */
  agentsmithyKeepRunning: boolean;
  env: {
    /** Names or `PREFIX_*` patterns of variables every agent gets. */
    pass: string[];
  };
  /** By the agent's name. Values of `env` are as they were written: expandAgentEnvironments fills in `$NAME`. */
  agents: Record<string, AgentConfig>;
  /** Client protocols whose modules the config file names, in `dialects`, by the dialect's name. */
  dialectModules: Record<string, DialectConfig>;
  /** Providers of models besides the built-in ones, or what is different about those. */
  providers: ModelProviders;
  /** What the tools of the model agent may reach. */
  web: WebAccess;
  /** Who is told when something waits or ends. Values are as they were written: notifyTargets fills in `$NAME`. */
  notify: NotifySetting[];
  /** Limits of the engine and the server that differ from their defaults. */
  limits: NonNullable<ConfigFile["limits"]>;
}

export const DEFAULT_PORT = 4111;

/** It is always there, needs no key and costs nothing. */
export const DEFAULT_AGENT = "mock";

/** The environment on which the defaults depend. */
export interface Surroundings {
  cwd: string;
  environment: NodeJS.ProcessEnv;
}

export function withDefaults(
  given: Partial<Config>,
  { cwd, environment }: Surroundings = { cwd: process.cwd(), environment: process.env },
): Config {
  const { sharedRoots = [], gitRoots = [] } = given;
  const ofNodes = [...sharedRoots, ...gitRoots];
  const named = given.roots ?? (ofNodes.length > 0 ? [] : defaultRoots(cwd, given.agentsmithyWorkspace));
  const roots = [...new Set([...named, ...ofNodes])];
  return {
    host: given.host ?? "127.0.0.1",
    port: given.port ?? DEFAULT_PORT,
    data: given.data ?? defaultDataDirectory(environment),
    store: given.store,
    clusterSecret: given.clusterSecret,
    advertise: given.advertise,
    clusterInsecure: given.clusterInsecure ?? false,
    cluster: given.cluster ?? {},
    nodeName: given.nodeName,
    token: given.token,
    formerToken: given.formerToken,
    tokenFile: given.tokenFile,
    roots,
    sharedRoots,
    gitRoots,
    // A default outside the roots would be refused for every session.
    cwd: given.cwd ?? (roots.some((root) => isInside(cwd, resolve(root))) ? cwd : (roots[0] ?? cwd)),
    corsOrigins: given.corsOrigins ?? [],
    allowHosts: given.allowHosts ?? [],
    agent: given.agent === undefined ? undefined : agentNameOf(given.agent),
    checkpoints: given.checkpoints ?? (environment.INTERLINGUA_CHECKPOINTS === "off" ? "off" : "on"),
    onLost: given.onLost ?? "stop",
    checkpointDirectory: given.checkpointDirectory,
    agentsmithyPort: given.agentsmithyPort,
    agentsmithyWorkspace: given.agentsmithyWorkspace,
    agentsmithyKeepRunning: given.agentsmithyKeepRunning ?? false,
    env: given.env ?? { pass: [] },
    agents: given.agents ?? {},
    dialectModules: given.dialectModules ?? {},
    providers: given.providers ?? {},
    web: given.web ?? {},
    notify: given.notify ?? [],
    limits: given.limits ?? {},
  };
}

/** Whoever names a workspace means that sessions work there. */
function defaultRoots(cwd: string, workspace: string | undefined): string[] {
  return workspace === undefined || isInside(workspace, cwd) ? [cwd] : [cwd, workspace];
}
