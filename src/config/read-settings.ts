/** Reads the settings that are given as flags and as environment variables. */
import type { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { type ConfigFile, configFileSchema } from "./config-file.ts";
import { SETTING_KEYS, SETTINGS, type Setting, type SettingKey } from "./settings.ts";

type SettingValues = Pick<ConfigFile, SettingKey>;

/** @param flags As `parseArgs` gives them, by flag name. */
export function readFlags(flags: Readonly<Record<string, unknown>>): SettingValues {
  return readSettings(({ flag }) => ({
    name: `--${flag}`,
    value: flags[flag] as string | string[] | boolean | undefined,
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
  read: (setting: Setting) => { name: string; value: string | string[] | boolean | undefined },
): SettingValues {
  const entries = SETTING_KEYS.flatMap((key) => {
    const { name, value } = read(SETTINGS[key]);
    return value === undefined ? [] : [[key, parseSetting(key, name, value)]];
  });
  return Object.fromEntries(entries);
}

/** A port is a number, and a switch is on or off. */
function parseSetting(key: SettingKey, name: string, value: string | string[] | boolean): unknown {
  if (typeof value === "boolean") return value;
  const isPort = key === "port" || key === "agentsmithyPort";
  if (SETTINGS[key].isSwitch) return parseSwitch(name, String(value));
  const schema: z.ZodType = configFileSchema.shape[key];
  const parsed = schema.safeParse(isPort && /^\d+$/.test(String(value)) ? Number(value) : value);
  if (parsed.success) return parsed.data;
  if (isPort) throw new ConfigError(`${name}: "${value}" is not a port. Give a number from 0 to 65535.`);
  const { message, path } = parsed.error.issues[0]!;
  const wrong = path.length > 0 ? value[path[0] as number] : value;
  throw new ConfigError(`${name}: "${wrong}" cannot be used: ${message}`);
}

function parseSwitch(name: string, value: string): boolean {
  if (value === "on" || value === "off") return value === "on";
  throw new ConfigError(`${name}: "${value}" cannot be used: must be on or off`);
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
