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

/** What Claude Code puts around the summary for its model. */
const WRAPPING = [
  /^This session is being continued[^\n]*\n+/,
  /<system-reminder>[\s\S]*?<\/system-reminder>\n?/g,
  /^Summary:\n/,
  /\n+If you need specific details from before compaction[\s\S]*$/,
];

/** The summary is what the model goes on with. Without one the end is told when the next thing happens. */
export function endCompaction(state: ClaudeState, text?: string): Translation {
  const { compaction } = state;
  if (!compaction) return [state, []];
  const summary = text && WRAPPING.reduce((rest, wrapping) => rest.replace(wrapping, ""), text);
  const { tokensBefore, tokensAfter } = compaction;
  return [
    { ...state, compaction: undefined },
    [
      {
        type: "compaction.ended",
        summary,
        tokensBefore,
        tokensAfter,
      },
    ],
  ];
}
