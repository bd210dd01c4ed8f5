/** The flags of serve, made from the table of settings. */
import { SETTING_KEYS, SETTINGS } from "../config/settings.ts";
import { CONFIG_OPTION, type CommandOption, type CommandOptions } from "./command.ts";

export const SERVE_OPTIONS: CommandOptions = {
  ...Object.fromEntries(SETTING_KEYS.map((key) => [SETTINGS[key].flag, toOption(key)])),
  ...CONFIG_OPTION,
};

function toOption(key: (typeof SETTING_KEYS)[number]): CommandOption {
  const { type, multiple, placeholder, variable, help } = SETTINGS[key];
  return { type, multiple, placeholder, variable, help };
}
