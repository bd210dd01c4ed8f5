/** The settings that are also flags and environment variables: one table for parsing, reading and help. */
import type { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { type ConfigFile, configFileSchema } from "./config-file.ts";

export type SettingKey = keyof Pick<
  ConfigFile,
  "host" | "port" | "data" | "tokenFile" | "roots" | "corsOrigins" | "allowHosts" | "agent"
>;

export interface Setting {
  /** Its flag, without the hyphens. */
  readonly flag: string;
  readonly variable: string;
  /** A flag that may be repeated; its variable is separated by commas. */
  readonly multiple: boolean;
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
};

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

type SettingValues = Pick<ConfigFile, SettingKey>;

/** @param flags As `parseArgs` gives them, by flag name. */
export function readFlags(flags: Readonly<Record<string, unknown>>): SettingValues {
  return readSettings(({ flag }) => ({
    name: `--${flag}`,
    value: flags[flag] as string | string[] | undefined,
  }));
}

/** An empty variable counts as unset, as in most programs. */
export function readEnvironment(environment: NodeJS.ProcessEnv): SettingValues {
  return readSettings(({ variable, multiple }) => {
    const text = environment[variable]?.trim() || undefined;
    return { name: variable, value: multiple && text ? splitList(text) : text };
  });
}

function readSettings(
  read: (setting: Setting) => { name: string; value: string | string[] | undefined },
): SettingValues {
  const entries = SETTING_KEYS.flatMap((key) => {
    const { name, value } = read(SETTINGS[key]);
    return value === undefined ? [] : [[key, parseSetting(key, name, value)]];
  });
  return Object.fromEntries(entries);
}

function parseSetting(key: SettingKey, name: string, value: string | string[]): unknown {
  if (key === "port" && !/^\d+$/.test(String(value))) {
    throw new ConfigError(`${name}: "${value}" is not a port. Give a number from 0 to 65535.`);
  }
  const schema: z.ZodType = configFileSchema.shape[key];
  const parsed = schema.safeParse(key === "port" ? Number(value) : value);
  if (parsed.success) return parsed.data;
  const { message, path } = parsed.error.issues[0]!;
  const wrong = path.length > 0 ? value[path[0] as number] : value;
  throw new ConfigError(`${name}: "${wrong}" cannot be used: ${message}`);
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function single(flag: string, placeholder: string, help: string): Setting {
  return { flag, variable: variableOf(flag), multiple: false, placeholder, help };
}

function repeated(flag: string, placeholder: string, help: string): Setting {
  return { ...single(flag, placeholder, help), multiple: true };
}

/** `token-file` is `INTERLINGUA_TOKEN_FILE`. */
function variableOf(flag: string): string {
  return `INTERLINGUA_${flag.toUpperCase().replaceAll("-", "_")}`;
}
