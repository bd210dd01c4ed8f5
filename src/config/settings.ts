/** The settings that are also flags and environment variables: one table for parsing, reading and help. */
import type { ConfigFile } from "./config-file.ts";

export type SettingKey = keyof Pick<
  ConfigFile,
  | "host"
  | "port"
  | "data"
  | "tokenFile"
  | "roots"
  | "corsOrigins"
  | "allowHosts"
  | "agent"
  | "checkpoints"
  | "agentsmithyPort"
  | "agentsmithyWorkspace"
  | "agentsmithyKeepRunning"
>;

export interface Setting {
  /** Its flag, without the hyphens. */
  readonly flag: string;
  readonly variable: string;
  /** A flag that may be repeated; its variable is separated by commas. */
  readonly multiple: boolean;
  /** A flag without a value; its variable is `on` or `off`. */
  readonly isSwitch: boolean;
  /** The placeholder of the value in help texts. */
  readonly placeholder: string;
  readonly help: string;
}

export const SETTINGS: Record<SettingKey, Setting> = {
  host: single("host", "ADDRESS", "Address to listen on (127.0.0.1)"),
  port: single("port", "PORT", "Port to listen on, 0 picks a free one (4111)"),
  data: single("data", "DIRECTORY", "Where everything is kept, :memory: keeps nothing"),
  tokenFile: single("token-file", "FILE", "File with the access token (DATA/token, made at the first start)"),
  roots: repeated(
    "root",
    "DIRECTORY",
    "Sessions may work in here; this trusts what is inside (where you are)",
  ),
  corsOrigins: repeated("cors-origin", "ORIGIN", "Pages of this origin may call the API (none)"),
  allowHosts: repeated("allow-host", "HOST", "Name, also with :PORT, under which we may be called"),
  agent: single("agent", "NAME", "Default agent, and that of /api/chat where a request names none (mock)"),
  checkpoints: single("checkpoints", "on|off", "Whether checkpoints of files are taken around turns (on)"),
  agentsmithyPort: single("agentsmithy-port", "PORT", "Also speak AgentSmithy here, without a token (off)"),
  agentsmithyWorkspace: single("agentsmithy-workspace", "DIR", "What is worked in there (where you are)"),
  agentsmithyKeepRunning: {
    ...single("agentsmithy-keep-running", "", "Turns of its clients go on when these leave"),
    isSwitch: true,
  },
};

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

function single(flag: string, placeholder: string, help: string): Setting {
  return { flag, variable: variableOf(flag), multiple: false, isSwitch: false, placeholder, help };
}

function repeated(flag: string, placeholder: string, help: string): Setting {
  return { ...single(flag, placeholder, help), multiple: true };
}

/** `token-file` is `INTERLINGUA_TOKEN_FILE`. */
function variableOf(flag: string): string {
  return `INTERLINGUA_${flag.toUpperCase().replaceAll("-", "_")}`;
}
