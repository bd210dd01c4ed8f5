/** Makes the model that a name stands for. The library of a provider is loaded when it is first needed. */
import type { LanguageModel } from "ai";
import type { ModelPrice } from "../../../core/model-provider.ts";
import { findKnownModel } from "../prices.ts";
import { type Environment, expandHeaders, keyOf, type Provider, readModelName } from "../providers.ts";
import { TurnFailure } from "./turn-failure.ts";

/** Of a model that is not known. */
const USUAL_WINDOW = 128_000;

export interface ChosenModel {
  /** `provider/model`. */
  readonly name: string;
  readonly model: string;
  readonly provider: Provider;
  readonly instance: LanguageModel;
  /** Secret: it must not be in what is told. */
  readonly key?: string;
  /** Undefined when it is not known. */
  readonly price?: ModelPrice;
  /** How many tokens fit into it; undefined when it is not known. */
  readonly window?: number;
  /** What is taken for its window where that is not known. */
  readonly assumedWindow: number;
}

/** Throws `TurnFailure` when it cannot be used as things are. */
export async function createModel(
  name: string,
  providers: ReadonlyMap<string, Provider>,
  environment: Environment,
): Promise<ChosenModel> {
  const { provider: providerName, model } = readModelName(name, providers)!;
  const provider = providers.get(providerName)!;
  const key = keyOf(provider, environment);
  if (provider.needsKey && key === undefined) {
    const remedy = `Set ${provider.keyVariables.join(" or ")} in the daemon's environment.`;
    throw new TurnFailure("agent_not_signed_in", `${provider.title} needs a key, and none is set. ${remedy}`);
  }
  if (provider.url === "") {
    throw new TurnFailure(
      "endpoint_unreachable",
      `It is not known where ${provider.title} is. Set ${provider.urlSetting} in the config file.`,
    );
  }
  const known = findKnownModel(provider.type, model);
  const window = provider.window ?? known?.window;
  return {
    name,
    model,
    provider,
    key,
    instance: await createInstance(provider, model, { key, headers: expandHeaders(provider, environment) }),
    price: provider.prices[model] ?? known?.price,
    window,
    assumedWindow: window ?? USUAL_WINDOW,
  };
}

async function createInstance(
  { type, name, url: baseURL }: Provider,
  model: string,
  { key: apiKey, headers }: { key?: string; headers: Record<string, string> },
): Promise<LanguageModel> {
  switch (type) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey, headers })(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL, apiKey, headers }).responses(model);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL, apiKey, headers })(model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name, baseURL, apiKey, headers, includeUsage: true })(model);
    }
  }
}
