/** Checks that an agent offers the wanted settings. */
import { InterlinguaError } from "./error.ts";
import type { Setting, SettingValue, SettingValues } from "./setting.ts";

/** A setting as far as it is known. Without `choices` it takes any value of its present type. */
export type OfferedSetting = Pick<Setting, "id" | "choices"> & { value?: SettingValue };

/** Throws `option_not_offered` for a setting or value the agent does not have, and names those it has. */
export function assertOffered(
  agent: string,
  offered: readonly OfferedSetting[],
  wanted: SettingValues = {},
): void {
  for (const [id, value] of Object.entries(wanted)) {
    const problem = problemOf(agent, offered, id, value);
    if (problem === undefined) continue;
    const errors = [{ path: `settings.${id}`, message: "is not offered by the agent" }];
    throw new InterlinguaError("option_not_offered", problem, { errors });
  }
}

function problemOf(agent: string, offered: readonly OfferedSetting[], id: string, value: SettingValue) {
  const setting = offered.find((known) => known.id === id);
  if (!setting) {
    const names = offered.map((known) => known.id).join(", ") || "none";
    return `${agent} has no setting "${id}". It has: ${names}.`;
  }
  const { choices, value: current = "" } = setting;
  if (choices?.some((choice) => choice.id === value)) return undefined;
  if (choices) {
    const names = choices.map((choice) => choice.id).join(", ");
    return `${agent} does not offer "${value}" for the setting "${id}". It offers: ${names}.`;
  }
  const type = typeof current;
  return typeof value === type ? undefined : `The setting "${id}" of ${agent} is a ${type}.`;
}
