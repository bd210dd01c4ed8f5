/** Claude Code's one setting besides model and modes: how much effort the model makes. */
import type { OfferedSetting } from "../../core/offered-settings.ts";
import type { Setting } from "../../core/setting.ts";
import type { SettingsResult, WireModel } from "./wire.ts";

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/** What is known of it before Claude Code runs. */
export const SETTINGS = [{ id: "effort", choices: EFFORTS.map((id) => ({ id })) }];

/** What is known of it before this model is set. */
export function offeredBy(model: string, models: readonly WireModel[] = []): readonly OfferedSetting[] {
  const known = models.find(({ value, resolvedModel }) => value === model || resolvedModel === model);
  return [{ id: "effort", choices: choicesOf(known) }];
}

/** Models that make no effort of their own have none to choose. */
export function settingsOf({ applied }: SettingsResult, models: readonly WireModel[] = []): Setting[] {
  const { effort, model } = applied ?? {};
  if (typeof effort !== "string") return [];
  const known = models.find(({ value, resolvedModel }) => (resolvedModel ?? value) === model);
  const setting = { id: "effort", name: "Effort", category: "thought_level", value: effort };
  return [{ ...setting, choices: choicesOf(known) }];
}

function choicesOf(model: WireModel | undefined): { id: string }[] {
  return (model?.supportedEffortLevels ?? EFFORTS).map((id) => ({ id }));
}
