/** Claude Code's one setting besides model and modes: how much effort the model makes. */
import type { Setting } from "../../core/setting.ts";
import type { SettingsResult, WireModel } from "./wire.ts";

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/** What is known of it before Claude Code runs. */
export const SETTINGS = [{ id: "effort", choices: EFFORTS.map((id) => ({ id })) }];

/** Models that make no effort of their own have none to choose. */
export function settingsOf({ applied }: SettingsResult, models: readonly WireModel[] = []): Setting[] {
  const { effort, model } = applied ?? {};
  if (typeof effort !== "string") return [];
  const known = models.find(({ value, resolvedModel }) => (resolvedModel ?? value) === model);
  const levels = known?.supportedEffortLevels ?? EFFORTS;
  const choices = levels.map((id) => ({ id }));
  return [{ id: "effort", name: "Effort", category: "thought_level", value: effort, choices }];
}
