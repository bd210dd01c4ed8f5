/** Whether a request can ask the model to think. */
import type { ModelMessage } from "ai";
import type { WireEffort } from "../wire.ts";
import type { ChosenModel } from "./create-model.ts";

interface Thinking {
  readonly model: Pick<ChosenModel, "provider">;
  readonly effort: WireEffort;
  readonly messages: readonly ModelMessage[];
}

/**
 * Anthropic refuses to think in the middle of a round of calls that it began without thinking, or whose thoughts are
 * lost. Then thinking waits for the end of the round.
 */
export function mayThink({ model, effort, messages }: Thinking): boolean {
  if (effort === "default") return false;
  return effort === "none" || model.provider.type !== "anthropic" || !hasThoughtlessCalls(messages);
}

function hasThoughtlessCalls(messages: readonly ModelMessage[]): boolean {
  for (const { role, content } of messages.toReversed()) {
    if (role !== "assistant") continue;
    if (typeof content === "string" || !content.some(({ type }) => type === "tool-call")) return false;
    if (content[0]?.type !== "reasoning") return true;
  }
  return false;
}
