/** Makes the model that a name stands for. The library of a provider is loaded when it is first needed. */
import type { LanguageModel } from "ai";
import type { ModelPrice } from "../../../core/model-provider.ts";
import { findKnownModel } from "../prices.ts";
import {
  type Environment,
  expandHeaders,
  keyOf,
  keyRemedy,
  type Provider,
  readModelName,
} from "../providers.ts";
import { TurnFailure } from "./turn-failure.ts";

/** Of a model that is not known. */
const USUAL_WINDOW = 128_000;

export interface ChosenModel {
  /** `provider/model`. */
  readonly name: string;
  readonly model: string;
  readonly provider: Provider;
  readonly instance: LanguageModel;
  /** Must not be in what is told: its key and the words of its headers. */
  readonly secrets: readonly string[];
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
    const what = `${provider.title} needs a key, and none is set.`;
    throw new TurnFailure("agent_not_signed_in", `${what} ${keyRemedy(provider)}`);
  }
  if (provider.url === "") {
    throw new TurnFailure(
      "endpoint_unreachable",
      `It is not known where ${provider.title} is. Set ${provider.urlSetting} in the config file.`,
    );
  }
  const known = findKnownModel(provider.type, model);
  const window = provider.window ?? known?.window;
  const headers = headersFor(provider, key, environment);
  return {
    name,
    model,
    provider,
    secrets: secretsOf(key, headers),
    instance: await createInstance(provider, model, { key, headers }),
    price: Object.hasOwn(provider.prices, model) ? provider.prices[model] : known?.price,
    window,
    assumedWindow: window ?? USUAL_WINDOW,
  };
}

/** A key is sent in the same header as a user's name and password, by some. Both at once mean nothing. */
function headersFor(
  provider: Provider,
  key: string | undefined,
  environment: Environment,
): Record<string, string> {
  const { authorization, ...others } = expandHeaders(provider, environment);
  const isTaken = key !== undefined && (provider.type === "openai" || provider.type === "openai-compatible");
  return authorization === undefined || isTaken ? others : { ...others, authorization };
}

/** Shorter words are no secrets, and masking them would garble every sentence. */
const SHORTEST_SECRET = 8;

function secretsOf(key: string | undefined, headers: Readonly<Record<string, string>>): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(/\s+/));
  return [...(key === undefined ? [] : [key]), ...words.filter(({ length }) => length >= SHORTEST_SECRET)];
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
