import { expect, it } from "vitest";
import { optionOfCategory, settingsOf } from "./configuration.ts";

const select = (id: string, category: string, currentValue: string, ...values: string[]) => ({
  type: "select",
  id,
  name: id,
  category,
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});

const PROVIDER = select("provider", "model", "openai", "openai", "cline");
const MODEL = select("model", "model", "large", "large", "small");
const models = { currentModelId: "large", availableModels: [{ modelId: "large" }, { modelId: "small" }] };

it.each([
  [
    "the older list of models has its values",
    { options: [PROVIDER, { ...MODEL, id: "engine" }], models },
    "engine",
  ],
  ["it is called so, where there is no such list", { options: [PROVIDER, MODEL] }, "model"],
  ["it is the only one", { options: [PROVIDER] }, "provider"],
])("of two options of the category `model` the provider is not the model: %s", (_, configuration, id) => {
  expect(optionOfCategory(configuration, "model")?.id).toBe(id);
});

it("the provider is a setting like others", () => {
  expect(settingsOf({ options: [PROVIDER, MODEL], models })).toMatchObject({
    model: "large",
    models: [{ id: "large" }, { id: "small" }],
    settings: [{ id: "provider", value: "openai" }],
  });
});
