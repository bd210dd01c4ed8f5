/** The conversation is made shorter: begun by a status, ended by a boundary, with the summary in a line after it. */
import type { Draft } from "../../../core/draft.ts";
import type { ClaudeState } from "../conversation-state.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

export function afterBoundary(
  state: ClaudeState,
  metadata: { pre_tokens?: number; post_tokens?: number } = {},
): ClaudeState {
  const { pre_tokens: tokensBefore, post_tokens: tokensAfter } = metadata;
  return { ...state, compaction: { tokensBefore, tokensAfter } };
}

/** The summary is what the model goes on with. Without one the end is told when the next thing happens. */
export function endCompaction(state: ClaudeState, summary?: string): Translation {
  const { compaction } = state;
  if (!compaction) return [state, []];
  const { tokensBefore, tokensAfter } = compaction;
  return [
    { ...state, compaction: undefined },
    [
      {
        type: "compaction.ended",
        ...(summary !== undefined && { summary }),
        ...(tokensBefore !== undefined && { tokensBefore }),
        ...(tokensAfter !== undefined && { tokensAfter }),
      },
    ],
  ];
}
