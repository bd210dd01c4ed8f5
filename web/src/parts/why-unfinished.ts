/** Why a call has no result though it did not fail: its turn ended first. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";

/** By the reason the daemon gives for a call that it gave up. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["the turn was stopped", "Stopped"],
  ["the agent is gone", "Cut off"],
  ["the turn ended without its result", "Cut off"],
]);

/** In a word; undefined for a call that has a result, failed or may still run. */
export function whyUnfinished({
  state,
  errorText,
}: Pick<ToolBlock, "state" | "errorText">): string | undefined {
  return state === "output-error" ? WORDS.get(errorText ?? "") : undefined;
}
