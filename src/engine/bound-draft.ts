/** Keeps what an agent says within the engine's limits: long outputs are cut, and an ask gets its time. */
import type { Draft } from "../core/draft.ts";
import { truncateOutput } from "../core/truncate-output.ts";
import type { EngineLimits } from "./limits.ts";

export function boundDraft(
  draft: Draft,
  { maxToolOutputBytes, askTimeoutMs }: Pick<EngineLimits, "maxToolOutputBytes" | "askTimeoutMs">,
  now: () => number,
): Draft {
  if (draft.type === "tool.output" || draft.type === "tool.amended") {
    return { ...draft, ...truncateOutput(draft.output, maxToolOutputBytes) } as Draft;
  }
  if (draft.type === "ask.opened" && draft.expiresAt === undefined && askTimeoutMs > 0) {
    return { ...draft, expiresAt: now() + askTimeoutMs };
  }
  return draft;
}
