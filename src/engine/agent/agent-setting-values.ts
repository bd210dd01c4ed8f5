/** Values of an agent's settings: which it has, and which it still needs before a prompt. Pure. */
import { assertOffered } from "../../core/offered-settings.ts";
import type { QueuedPrompt, SessionState } from "../../core/session-state.ts";
import {
  type Setting,
  type SettingValue,
  type SettingValues,
  withSettingValues,
} from "../../core/setting.ts";

/** Like `assertOffered`. Nothing is known about an agent that never ran. */
export function assertSettingsOffered({ agent, settings }: SessionState, wanted?: SettingValues): void {
  if (settings) assertOffered(agent, settings, wanted);
}

export function isOffered(state: SessionState, id: string, value: SettingValue): boolean {
  try {
    assertSettingsOffered(state, { [id]: value });
    return true;
  } catch {
    return false;
  }
}

/** The values that have to be in force in the turn of this prompt, or between turns. The prompt's own win. */
function wantedValues(state: SessionState, prompt: QueuedPrompt | undefined): SettingValues {
  return { ...state.overridden, ...state.chosen, ...prompt?.settings };
}

/** Those of them that are not in force, or of which that is not certain. */
export function dueValues(
  state: SessionState,
  prompt: QueuedPrompt | undefined,
  doubtful: ReadonlySet<string>,
): SettingValues {
  if (!state.overridden && !state.chosen && !prompt?.settings) return {};
  const wanted = Object.entries(wantedValues(state, prompt));
  return Object.fromEntries(
    wanted.filter(([id, value]) => doubtful.has(id) || settingValue(state, id) !== value),
  );
}

/** What to remember while the settings of a prompt are in force, to restore it afterwards. */
export function overriddenBy(state: SessionState, prompt: QueuedPrompt | undefined): SettingValues {
  const before = Object.keys(prompt?.settings ?? {}).flatMap((id) => {
    const value = state.overridden?.[id] ?? settingValue(state, id);
    return value === undefined || Object.hasOwn(state.chosen ?? {}, id) ? [] : [[id, value] as const];
  });
  return Object.fromEntries(before);
}

/** The settings in force, or, if no agent runs, those it will begin with as far as they are known. */
export function shownSettings({ attached, settings, chosen }: SessionState): Setting[] | undefined {
  if (attached || !chosen) return settings;
  return withSettingValues(settings ?? [], chosen);
}

/** As the agent last reported it; undefined if it did not. */
export function settingValue({ settings }: Pick<SessionState, "settings">, id: string) {
  return settings?.find((setting) => setting.id === id)?.value;
}

/** The settings with the values the agent did not report; undefined if it reported all. `known`: from before the change. */
export function settingsWith(
  state: SessionState,
  values: SettingValues = {},
  known: SessionState["settings"],
): Setting[] | undefined {
  const untold = filterValues(values, (id, value) => {
    const present = settingValue(state, id);
    return present === settingValue({ settings: known }, id) && present !== value;
  });
  return isEmpty(untold) ? undefined : withSettingValues(state.settings ?? [], untold);
}

export function filterValues(
  values: SettingValues = {},
  isKept: (id: string, value: SettingValue) => boolean,
): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => isKept(id, value)));
}

export function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}
