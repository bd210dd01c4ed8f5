/** Why a call has no result though it did not fail. Pure. */
import type { ToolBlock } from "../chat/message-blocks.ts";

const WORDS = { stopped: "Stopped", lost: "Cut off" };

/** In a word; undefined for a call that has a result, failed or may still run. */
export function whyUnfinished({ state, result }: Pick<ToolBlock, "state" | "result">): string | undefined {
  if (state !== "output-error" || !result?.unfinished) return undefined;
  return WORDS[result.unfinished];
}
