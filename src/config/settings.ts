/** The settings that are also flags and environment variables: one table for parsing, reading and help. */
import type { ConfigFile } from "./config-file.ts";

export type SettingKey = keyof Pick<
  ConfigFile,
  | "host"
  | "port"
  | "data"
  | "store"
  | "advertise"
  | "clusterInsecure"
  | "nodeName"
  | "tokenFile"
  | "roots"
  | "sharedRoots"
  | "gitRoots"
  | "corsOrigins"
  | "allowHosts"
  | "agent"
  | "checkpoints"
  | "checkpointDirectory"
  | "onLost"
  | "agentsmithyPort"
  | "agentsmithyWorkspace"
  | "agentsmithyKeepRunning"
>;

export interface Setting {
  /** Its flag, without the hyphens. */
  readonly flag: string;
  readonly variable: string;
  /** A `boolean` is a flag without a value; its variable is `on` or `off`. */
  readonly type: "string" | "boolean";
  /** A flag that may be repeated; its variable is separated by commas. */
  readonly multiple: boolean;
  readonly placeholder?: string;
  readonly help: string;
}

export const SETTINGS: Record<SettingKey, Setting> = {
  host: single("host", "ADDRESS", "Address to listen on (127.0.0.1)"),
  port: single("port", "PORT", "Port to listen on, 0 picks a free one (4111)"),
  data: single("data", "DIRECTORY", "Where everything is kept, :memory: keeps nothing"),
  store: single("store", "ADDRESS", "PostgreSQL for the sessions, without a password (a file in DATA)"),
  advertise: single("advertise", "URL", "Where other nodes reach this one (a free port of the loopback)"),
  clusterInsecure: {
    ...flagOf("cluster-insecure"),
    type: "boolean",
    multiple: false,
    help: "Nodes may speak without TLS off the loopback: only in a network of your own",
  },
  nodeName: single("node-name", "NAME", "What others call this node of a cluster (the name of the machine)"),
  tokenFile: single("token-file", "FILE", "File with the access token (DATA/token, made at the first start)"),
  roots: repeated(
    "root",
    "DIRECTORY",
    "Sessions may work in here; this trusts what is inside (where you are)",
  ),
  sharedRoots: repeated(
    "shared-root",
    "DIRECTORY",
    "As --root, where all nodes of a cluster see the same files",
  ),
  gitRoots: repeated(
    "git-root",
    "DIRECTORY",
    "As --root, where each node of a cluster has a git clone of its own",
  ),
  corsOrigins: repeated("cors-origin", "ORIGIN", "Pages of this origin may call the API (none)"),
  allowHosts: repeated("allow-host", "HOST", "Name, also with :PORT, under which we may be called"),
  agent: single("agent", "NAME", "Default agent, and that of /api/chat where a request names none (mock)"),
  checkpoints: single("checkpoints", "on|off", "Whether checkpoints of files are taken around turns (on)"),
  checkpointDirectory: single(
    "checkpoint-directory",
    "DIR",
    "Where all nodes keep checkpoints of shared roots (DATA of each)",
  ),
  onLost: single(
    "on-lost",
    "continue|stop",
    "Whether turns that a restart cuts off continue by themselves (stop)",
  ),
  agentsmithyPort: single(
    "agentsmithy-port",
    "PORT",
    "A port for clients of AgentSmithy, without a token, 0 picks one (none)",
  ),
  agentsmithyWorkspace: single(
    "agentsmithy-workspace",
    "DIR",
    "The directory that port works in (where sessions begin)",
  ),
  agentsmithyKeepRunning: {
    ...flagOf("agentsmithy-keep-running"),
    type: "boolean",
    multiple: false,
    help: "A turn goes on when the client of AgentSmithy that began it leaves",
  },
};

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

function single(flag: string, placeholder: string, help: string): Setting {
  return { ...flagOf(flag), type: "string", multiple: false, placeholder, help };
}

function repeated(flag: string, placeholder: string, help: string): Setting {
  return { ...single(flag, placeholder, help), multiple: true };
}

/** `token-file` is also `INTERLINGUA_TOKEN_FILE`. */
function flagOf(flag: string): Pick<Setting, "flag" | "variable"> {
  return { flag, variable: `INTERLINGUA_${flag.toUpperCase().replaceAll("-", "_")}` };
}
