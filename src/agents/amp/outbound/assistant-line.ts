/** A message of the model, whole, → drafts. One message is one step. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type AmpState, withTurn } from "../conversation-state.ts";
import { toolKind } from "../vocabulary.ts";
import type { WireBlock, WireLineOf, WireUsage } from "../wire.ts";

type Origin = { readonly parent?: string };

export function translateAssistant(
  state: AmpState,
  { message, parent_tool_use_id: parent }: WireLineOf<"assistant">,
): Translation<AmpState> {
  const origin: Origin = parent == null ? {} : { parent };
  const drafts: Draft[] = parent == null ? [{ type: "step.started" }] : [];
  let next = state;
  for (const block of message.content) {
    const [after, made] = translateBlock(next, block, origin);
    next = after;
    drafts.push(...made);
  }
  if (message.usage) drafts.push(usage(message.usage, message.model, origin));
  if (parent != null) return [next, drafts];
  const reason = message.stop_reason ?? undefined;
  drafts.push({ type: "step.ended", reason });
  if (reason !== "end_turn") return [next, drafts];
  // The result comes when the input is closed, and tells nothing more.
  drafts.push({ type: "turn.ended", outcome: "completed" });
  return [withTurn(next, { isRunning: false }), drafts];
}

function translateBlock(state: AmpState, block: WireBlock, origin: Origin): Translation<AmpState> {
  const { turn } = state;
  switch (block.type) {
    case "text":
      return [withTurn(state, { parts: turn.parts + 1 }), said("text", turn.parts, block.text, origin)];
    case "thinking":
      return [
        withTurn(state, { parts: turn.parts + 1 }),
        said("reasoning", turn.parts, block.thinking, origin),
      ];
    case "tool_use": {
      const { id: call, name, input } = block;
      const kind = toolKind(name);
      const calls = withEntry(turn.calls, call, { name, input, ...origin });
      return [
        withTurn(state, { calls }),
        [
          { type: "tool.start", call, name, ...(kind && { kind }), ...origin },
          { type: "tool.input", call, input, ...origin },
        ],
      ];
    }
    default:
      return [state, [{ type: "agent.unknown", native: `assistant/${(block as { type: string }).type}` }]];
  }
}

function said(kind: "text" | "reasoning", index: number, delta: string, origin: Origin): readonly Draft[] {
  const part = `part-${index + 1}`;
  return [
    { type: `${kind}.start`, part, ...origin },
    { type: `${kind}.delta`, part, delta, ...origin },
    { type: `${kind}.end`, part, ...origin },
  ];
}

/** What was cached is counted apart; ours is all of it. */
function usage(counted: WireUsage, model: string | undefined, origin: Origin): Draft {
  const { input_tokens = 0, cache_creation_input_tokens: cacheWrite = 0 } = counted;
  const { cache_read_input_tokens: cacheRead = 0, output_tokens: output = 0, max_tokens: size } = counted;
  const input = input_tokens + cacheRead + cacheWrite;
  return {
    type: "usage",
    input,
    output,
    cacheRead,
    cacheWrite,
    model,
    ...(origin.parent === undefined && {
      context: { used: input + output, size },
    }),
    ...origin,
  };
}
