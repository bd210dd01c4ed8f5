/** Reads the settings that are given as flags and as environment variables. */
import type { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { type ConfigFile, configFileSchema } from "./config-file.ts";
import { SETTING_KEYS, SETTINGS, type Setting, type SettingKey } from "./settings.ts";
import { hasPassword } from "./store-address.ts";

type SettingValues = Pick<ConfigFile, SettingKey>;
type GivenValue = string | string[] | boolean;

/** @param flags As `parseArgs` gives them, by flag name. */
export function readFlags(flags: Readonly<Record<string, unknown>>): SettingValues {
  if (typeof flags.store === "string" && hasPassword(flags.store))
    throw new ConfigError(
      "--store: others can see a password in a flag. Give the address with it in INTERLINGUA_STORE, or as `store` in the config file.",
    );
  return readSettings(({ flag }) => ({
    name: `--${flag}`,
    value: flags[flag] as GivenValue | undefined,
  }));
}

/** An empty variable counts as unset, as in most programs. */
export function readEnvironment(environment: NodeJS.ProcessEnv): SettingValues {
  return readSettings(({ variable, type, multiple }) => {
    const text = environment[variable]?.trim() || undefined;
    if (text === undefined) return { name: variable, value: undefined };
    if (type === "boolean") return { name: variable, value: readSwitch(variable, text) };
    return { name: variable, value: multiple ? splitList(text) : text };
  });
}

function readSettings(
  read: (setting: Setting) => { name: string; value: GivenValue | undefined },
): SettingValues {
  const entries = SETTING_KEYS.flatMap((key) => {
    const { name, value } = read(SETTINGS[key]);
    return value === undefined ? [] : [[key, parseSetting(key, name, value)]];
  });
  return Object.fromEntries(entries);
}

function parseSetting(key: SettingKey, name: string, value: GivenValue): unknown {
  const schema: z.ZodType = configFileSchema.shape[key];
  const isPort = key === "port" || key === "agentsmithyPort";
  const parsed = schema.safeParse(isPort && /^\d+$/.test(String(value)) ? Number(value) : value);
  if (parsed.success) return parsed.data;
  if (isPort) throw new ConfigError(`${name}: "${value}" is not a port. Give a number from 0 to 65535.`);
  const { message, path } = parsed.error.issues[0]!;
  // It may hold a password.
  if (key === "store") throw new ConfigError(`${name}: ${message}`);
  const wrong = Array.isArray(value) && path.length > 0 ? value[path[0] as number] : value;
  throw new ConfigError(`${name}: "${wrong}" cannot be used: ${message}`);
}

function readSwitch(variable: string, text: string): boolean {
  if (text === "on" || text === "off") return text === "on";
  throw new ConfigError(`${variable}: "${text}" cannot be used: must be on or off`);
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
