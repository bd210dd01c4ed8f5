/** The conversation is made shorter: begun by a status, ended by a boundary, with the summary in a line after it. */
import type { Draft } from "../../../core/draft.ts";
import { trimEndOf } from "../../../core/trim-end-of.ts";
import type { ClaudeState } from "../conversation-state.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

export function afterBoundary(
  state: ClaudeState,
  metadata: { pre_tokens?: number; post_tokens?: number } = {},
): ClaudeState {
  const { pre_tokens: tokensBefore, post_tokens: tokensAfter } = metadata;
  return { ...state, compaction: { tokensBefore, tokensAfter } };
}

const REMINDER = { start: "<system-reminder>", end: "</system-reminder>" };
const LAST_WORDS = "\nIf you need specific details from before compaction";

/** The summary without what Claude Code puts around it for its model. It may be long, so each step is one pass. */
function unwrap(text: string): string {
  const summary = withoutReminders(text.replace(/^This session is being continued[^\n]*\n+/, ""));
  const begun = summary.replace(/^Summary:\n/, "");
  const end = begun.indexOf(LAST_WORDS);
  return end === -1 ? begun : trimEndOf(begun.slice(0, end), /\n/);
}

function withoutReminders(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(REMINDER.start, at);
    const end = start === -1 ? -1 : text.indexOf(REMINDER.end, start);
    if (end === -1) break;
    kept.push(text.slice(at, start));
    at = end + REMINDER.end.length;
    if (text[at] === "\n") at += 1;
  }
  return kept.join("") + text.slice(at);
}

/** The summary is what the model goes on with. Without one the end is told when the next thing happens. */
export function endCompaction(state: ClaudeState, text?: string): Translation {
  const { compaction } = state;
  if (!compaction) return [state, []];
  const summary = text && unwrap(text);
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
