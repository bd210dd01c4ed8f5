/** The settings of a conversation: model, mode, permissions and effort. */
import { RequestError } from "../../transport/request-error.ts";
import { EFFORTS, MODELS, MODES, PERMISSIONS } from "../manifest.ts";
import type { WireConfiguration } from "../wire.ts";

export const DEFAULT_CONFIGURATION: WireConfiguration = {
  model: MODELS[0]!.id,
  mode: MODES[0]!.id,
  permissions: "ask",
  effort: "medium",
};

/** Any model name will do: there is no model behind it. All else must be known. */
export function changeConfiguration(
  former: WireConfiguration,
  change: Partial<WireConfiguration>,
): WireConfiguration {
  const configuration = { ...DEFAULT_CONFIGURATION, ...former, ...change };
  if (!MODES.some(({ id }) => id === configuration.mode)) {
    const names = MODES.map(({ id }) => id).join(", ");
    throw new RequestError("unknown_mode", `There is no mode "${configuration.mode}", only ${names}.`);
  }
  const permissions = Object.values(PERMISSIONS);
  if (!permissions.includes(configuration.permissions)) {
    const message = `There are no permissions "${configuration.permissions}", only ${permissions.join(", ")}.`;
    throw new RequestError("unknown_permissions", message);
  }
  if (!EFFORTS.some(({ id }) => id === configuration.effort)) {
    const names = EFFORTS.map(({ id }) => id).join(", ");
    throw new RequestError("unknown_effort", `There is no effort "${configuration.effort}", only ${names}.`);
  }
  return configuration;
}
