/** Codex's settings besides model and modes, as a session shows them. */
import type { OfferedSetting } from "../../core/offered-settings.ts";
import type { Setting } from "../../core/setting.ts";
import type { WireModel, WireThreadSettings } from "./wire.ts";

/** The effort of a thread for which nobody chose one: the model has its own. */
export const DEFAULT_EFFORT = "default";

const SANDBOXES = [
  { id: "readOnly", name: "Read only" },
  { id: "workspaceWrite", name: "Writes in its directory" },
  { id: "dangerFullAccess", name: "No sandbox" },
];

/** What is known of them before Codex runs. Which efforts there are depends on the model. */
export const SETTINGS: readonly OfferedSetting[] = [{ id: "sandbox", choices: SANDBOXES }, { id: "effort" }];

/** `models` is what Codex listed; undefined before it was asked, and then nobody chooses among them. */
export function settingsOf(
  { sandboxPolicy, effort, model }: WireThreadSettings,
  models?: readonly WireModel[],
): Setting[] {
  const efforts = effortChoices(models?.find((known) => known.model === model));
  const sandbox = { id: "sandbox", name: "Sandbox", choices: models && SANDBOXES };
  const thought = { id: "effort", name: "Reasoning effort", choices: efforts };
  const value = effort ?? (models && DEFAULT_EFFORT);
  return [
    ...(sandboxPolicy ? [{ ...sandbox, value: sandboxPolicy.type }] : []),
    ...(value === undefined ? [] : [{ ...thought, value }]),
  ];
}

/** For a model that Codex does not list, any effort may be right. */
function effortChoices(model: WireModel | undefined): Setting["choices"] {
  const efforts = model?.supportedReasoningEfforts;
  if (!efforts || efforts.length === 0) return undefined;
  const usual = model.defaultReasoningEffort;
  return [
    { id: DEFAULT_EFFORT, name: "Default", ...(usual && { description: `As the model has it: ${usual}` }) },
    ...efforts.map(({ reasoningEffort: id, description }) => ({ id, ...(description && { description }) })),
  ];
}

export function shownModels(models: readonly WireModel[]) {
  return models
    .filter(({ hidden }) => hidden !== true)
    .map(({ model: id, displayName: name, description }) => ({ id, name, description }));
}
