/** The flags of serve, made from the table of settings. */
import { SETTING_KEYS, SETTINGS } from "../config/settings.ts";
import type { CommandOption, CommandOptions } from "./command.ts";

export const SERVE_OPTIONS: CommandOptions = {
  ...Object.fromEntries(SETTING_KEYS.map((key) => [SETTINGS[key].flag, toOption(key)])),
  config: {
    type: "string",
    placeholder: "FILE",
    variable: "INTERLINGUA_CONFIG",
    help: "Settings in JSON (DATA/config.json if it is there)",
  },
};

function toOption(key: (typeof SETTING_KEYS)[number]): CommandOption {
  const { multiple, placeholder, variable, help } = SETTINGS[key];
  return { type: "string", multiple, placeholder, variable, help };
}
