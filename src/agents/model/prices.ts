/** What known models cost and how much fits into them. The config can say otherwise; an unknown price is no price. */
import type { ModelPrice } from "../../core/model-provider.ts";

interface KnownModel {
  /** Dollars for a million tokens. */
  readonly price: ModelPrice;
  /** Tokens. */
  readonly window: number;
}

const anthropic = (input: number, output: number, window = 200_000): KnownModel => ({
  price: { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 },
  window,
});

const cached = (input: number, output: number, cacheRead: number, window: number): KnownModel => ({
  price: { input, output, cacheRead },
  window,
});

/** By provider and by the beginning of the model's name; a date may follow it. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, KnownModel>>>> = {
  anthropic: {
    "claude-fable-5": anthropic(10, 50),
    "claude-opus-5": anthropic(5, 25, 1_000_000),
    "claude-opus-4-8": anthropic(5, 25),
    "claude-opus-4-7": anthropic(5, 25),
    "claude-opus-4-6": anthropic(5, 25),
    "claude-opus-4-5": anthropic(5, 25),
    "claude-opus-4-1": anthropic(15, 75),
    "claude-sonnet-4-6": anthropic(3, 15),
    "claude-sonnet-4-5": anthropic(3, 15),
    "claude-sonnet-4": anthropic(3, 15),
    "claude-haiku-4-5": anthropic(1, 5),
  },
  openai: {
    "gpt-5.1": cached(1.25, 10, 0.125, 400_000),
    "gpt-5": cached(1.25, 10, 0.125, 400_000),
    "gpt-5-mini": cached(0.25, 2, 0.025, 400_000),
    "gpt-5-nano": cached(0.05, 0.4, 0.005, 400_000),
    "gpt-4.1": cached(2, 8, 0.5, 1_047_576),
    "gpt-4.1-mini": cached(0.4, 1.6, 0.1, 1_047_576),
    "gpt-4o": cached(2.5, 10, 1.25, 128_000),
    "gpt-4o-mini": cached(0.15, 0.6, 0.075, 128_000),
  },
  google: {
    "gemini-2.5-pro": cached(1.25, 10, 0.125, 1_048_576),
    "gemini-2.5-flash": cached(0.3, 2.5, 0.03, 1_048_576),
    "gemini-2.5-flash-lite": cached(0.1, 0.4, 0.01, 1_048_576),
  },
};

/** The name itself, or the name with a date: `claude-sonnet-4-5-20250929`, `gpt-5-2025-08-07`. */
export function findKnownModel(type: string, model: string): KnownModel | undefined {
  const known = Object.hasOwn(KNOWN, type) ? KNOWN[type]! : {};
  const name = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

export interface SpentTokens {
  /** All of it, with what was read from and written to the cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** In dollars. */
export function costOf({ input, output, cacheRead, cacheWrite }: SpentTokens, price: ModelPrice): number {
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  const sum =
    plain * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input) +
    output * price.output;
  return Math.round(sum * 1e3) / 1e9;
}
