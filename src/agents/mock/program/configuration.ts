/** The settings of a conversation: model, mode and permissions. */
import { MODELS, MODES, PERMISSIONS } from "../manifest.ts";
import type { WireConfiguration } from "../wire.ts";
import { RequestError } from "./request-error.ts";

export const DEFAULT_CONFIGURATION: WireConfiguration = {
  model: MODELS[0]!.id,
  mode: MODES[0]!.id,
  permissions: "ask",
};

/** Any model name will do: there is no model behind it. Modes and permissions must be known. */
export function changeConfiguration(
  former: WireConfiguration,
  change: Partial<WireConfiguration>,
): WireConfiguration {
  const configuration = { ...former, ...change };
  if (!MODES.some(({ id }) => id === configuration.mode)) {
    const names = MODES.map(({ id }) => id).join(", ");
    throw new RequestError("unknown_mode", `There is no mode "${configuration.mode}", only ${names}.`);
  }
  const permissions = Object.values(PERMISSIONS);
  if (!permissions.includes(configuration.permissions)) {
    const message = `There are no permissions "${configuration.permissions}", only ${permissions.join(", ")}.`;
    throw new RequestError("unknown_permissions", message);
  }
  return configuration;
}
