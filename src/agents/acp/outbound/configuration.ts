/** Config options, modes and models → what a session's agent can be set to. Config options win over the older ways. */
import type { EventOf } from "../../../core/event.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import type { Configuration } from "../conversation-state.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "../untyped.ts";

type AgentSettings = Pick<EventOf<"session.attached">, "model" | "models" | "mode" | "modes" | "settings">;
type Choice = NonNullable<AgentSettings["models"]>[number];
type Setting = NonNullable<AgentSettings["settings"]>[number];

/** What a message of the agent says about its configuration, on top of what was known. */
export function readConfiguration(former: Configuration, source: JsonObject): Configuration {
  return withoutUndefined({
    options: Array.isArray(source.configOptions) ? objectsOf(source.configOptions) : former.options,
    modes: source.modes == null ? former.modes : objectOf(source.modes),
    models: source.models == null ? former.models : objectOf(source.models),
  });
}

/** The option that decides over a category, `model` or `mode`. */
export function optionOfCategory(
  { options = [], models }: Configuration,
  category: string,
): JsonObject | undefined {
  const found = options.filter((option) => option.category === category && textOf(option.id) !== undefined);
  if (found.length < 2 || category !== "model") return found[0];
  // Cline's providers are in this category too.
  const known = new Set(namedChoices(models?.availableModels, "modelId").map(({ id }) => id));
  return (
    found.find((option) => choicesOf(option).some(({ id }) => known.has(id))) ??
    found.find(({ id }) => id === category) ??
    found[0]
  );
}

/** After a change that the agent accepted without telling what its options are now. */
export function withOptionValue(configuration: Configuration, id: string, value: unknown): Configuration {
  return withoutUndefined({
    ...configuration,
    options: configuration.options?.map((option) =>
      option.id === id ? { ...option, currentValue: value } : option,
    ),
  });
}

export function withMode(configuration: Configuration, mode: string): Configuration {
  const option = optionOfCategory(configuration, "mode");
  const changed = option ? withOptionValue(configuration, option.id as string, mode) : configuration;
  return changed.modes ? { ...changed, modes: { ...changed.modes, currentModeId: mode } } : changed;
}

export function withModel(configuration: Configuration, model: string): Configuration {
  return configuration.models
    ? { ...configuration, models: { ...configuration.models, currentModelId: model } }
    : configuration;
}

/** Where there were settings before and are none now, that is told too. */
export function settingsOf(configuration: Configuration, former: Configuration = {}): AgentSettings {
  const { modes, models } = configuration;
  const model = optionOfCategory(configuration, "model");
  const mode = optionOfCategory(configuration, "mode");
  const others = otherOptions(configuration);
  const isTold = others.length > 0 || otherOptions(former).length > 0;
  return withoutUndefined({
    ...(model
      ? { model: textOf(model.currentValue), models: choicesOf(model) }
      : models && {
          model: textOf(models.currentModelId),
          models: namedChoices(models.availableModels, "modelId"),
        }),
    ...(mode
      ? { mode: textOf(mode.currentValue), modes: choicesOf(mode) }
      : modes && { mode: textOf(modes.currentModeId), modes: namedChoices(modes.availableModes, "id") }),
    settings: isTold ? others.flatMap((option) => toSetting(option) ?? []) : undefined,
  });
}

/** Those that are neither model nor mode. */
function otherOptions(configuration: Configuration): readonly JsonObject[] {
  const model = optionOfCategory(configuration, "model");
  const mode = optionOfCategory(configuration, "mode");
  return (configuration.options ?? []).filter((option) => option !== model && option !== mode);
}

/** Options may be grouped. */
export function choicesOf(option: JsonObject): Choice[] {
  const flat = objectsOf(option.options).flatMap((entry) =>
    Array.isArray(entry.options) ? objectsOf(entry.options) : [entry],
  );
  return namedChoices(flat, "value");
}

function namedChoices(value: unknown, key: string): Choice[] {
  return objectsOf(value).flatMap((entry) => {
    const id = textOf(entry[key]);
    if (id === undefined) return [];
    return [withoutUndefined({ id, name: textOf(entry.name), description: textOf(entry.description) })];
  });
}

function toSetting(option: JsonObject): Setting | undefined {
  const id = textOf(option.id);
  const { currentValue } = option;
  if (id === undefined || (typeof currentValue !== "string" && typeof currentValue !== "boolean")) {
    return undefined;
  }
  return withoutUndefined({
    id,
    name: textOf(option.name) ?? id,
    description: textOf(option.description),
    category: textOf(option.category),
    value: currentValue,
    choices: Array.isArray(option.options) ? choicesOf(option) : undefined,
  });
}
