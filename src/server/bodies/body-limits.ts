/** How large and how complex bodies may be: those that carry prompts and files, and all others. */
import type { ServerLimits } from "../limits.ts";
import type { BodyLimits } from "./read-json-body.ts";

/** This many are parsed and checked in a few tens of milliseconds. */
const MAX_CONTENT_VALUES = 200_000;
const MAX_SETTINGS_VALUES = 20_000;

export function bodyLimits(
  limits: Pick<ServerLimits, "maxBodyBytes" | "maxSettingsBytes">,
): Record<"content" | "settings", BodyLimits> {
  return {
    content: { maxBytes: limits.maxBodyBytes, maxValues: MAX_CONTENT_VALUES },
    settings: {
      maxBytes: Math.min(limits.maxBodyBytes, limits.maxSettingsBytes),
      maxValues: MAX_SETTINGS_VALUES,
    },
  };
}
