/** What a step of the mock would have cost. */
import type { WireEventOf } from "../wire.ts";

const CHARACTERS_PER_TOKEN = 4;
/** The instructions every step carries, read from the cache. */
const INSTRUCTION_TOKENS = 1200;
const WINDOW_TOKENS = 200_000;
const DOLLARS_PER_INPUT_TOKEN = 3e-6;
const DOLLARS_PER_OUTPUT_TOKEN = 15e-6;
const DISCOUNTS: Readonly<Record<string, number>> = { "mock-small": 0.1 };

/** Depends on nothing but its arguments, so a scenario costs the same each time. */
export function price(model: string, prompt: string, said: number, thought: number): WireEventOf<"spent"> {
  const input = tokens(prompt.length);
  const thinking = tokens(thought);
  const output = tokens(said) + thinking;
  const full = input * DOLLARS_PER_INPUT_TOKEN + output * DOLLARS_PER_OUTPUT_TOKEN;
  const dollars = Math.round(full * (DISCOUNTS[model] ?? 1) * 1e6) / 1e6;
  return {
    event: "spent",
    tokens: { input, output, thinking, cached: INSTRUCTION_TOKENS },
    dollars,
    model,
    window: WINDOW_TOKENS,
  };
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
