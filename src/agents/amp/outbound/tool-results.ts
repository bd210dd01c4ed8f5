/** What tools gave → drafts. */
import type { Draft } from "../../../core/draft.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { withoutEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type AmpState, type Call, withTurn } from "../conversation-state.ts";
import type { WireLineOf, WireToolResult } from "../wire.ts";

/** The text of a prompt comes back here too: what we sent is known. */
export function translateResults(state: AmpState, { message }: WireLineOf<"user">): Translation<AmpState> {
  const results = message.content.filter((block) => block.type === "tool_result");
  if (results.length === 0) return [state, []];
  let { calls } = state.turn;
  const drafts = results.flatMap((result) => {
    const call = calls.get(result.tool_use_id);
    calls = withoutEntry(calls, result.tool_use_id);
    const untold = [...calls].filter(([, { parent }]) => parent === result.tool_use_id);
    for (const [id] of untold) calls = withoutEntry(calls, id);
    return [...untold.map(([id, child]) => abandoned(id, child)), ...translateResult(result, call)];
  });
  return [withTurn(state, { calls }), drafts];
}

/** Some versions report the calls of sub-agents, none reports their results. */
function abandoned(call: string, { parent }: Call): Draft {
  return {
    type: "tool.abandoned",
    call,
    reason: "Amp tells no results of sub-agents",
    parent,
  };
}

function translateResult({ tool_use_id, content, is_error }: WireToolResult, call?: Call): readonly Draft[] {
  const origin = call?.parent === undefined ? {} : { parent: call.parent };
  if (is_error) {
    const error = typeof content === "string" ? content : JSON.stringify(content);
    return [{ type: "tool.failed", call: tool_use_id, error, ...origin }];
  }
  const result = call?.name === "Bash" ? shellResult(content) : { output: content };
  return [
    ...editedFile(tool_use_id, call).map((draft) => ({ ...draft, ...origin })),
    { type: "tool.output", call: tool_use_id, ...result, ...origin },
  ];
}

/** Text, with JSON in it: `{"output":"…","exitCode":0}`. */
function shellResult(content: unknown): { output: unknown; exitCode?: number } {
  if (typeof content !== "string") return { output: content };
  try {
    const { output, exitCode } = parseJson(content) as { output?: unknown; exitCode?: unknown };
    if (typeof output !== "string") return { output: content };
    return { output, ...(typeof exitCode === "number" && { exitCode }) };
  } catch {
    return { output: content };
  }
}

function editedFile(call: string, known: Call | undefined): readonly Draft[] {
  const path = known?.input.path;
  if (typeof path !== "string") return [];
  if (known?.name === "create_file") return [{ type: "file.edited", path, kind: "created", call }];
  return known?.name === "edit_file" ? [{ type: "file.edited", path, kind: "changed", call }] : [];
}
