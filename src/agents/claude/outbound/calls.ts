/** A call with its whole input. It is told by the message it stands in, or first by a question about it. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { ClaudeState } from "../conversation-state.ts";
import { toolKind, toolLocations, toolTitle } from "./tool-display.ts";

interface WholeCall {
  readonly call: string;
  readonly name: string;
  readonly input: unknown;
  /** For tools we have no title for. */
  readonly title?: string;
  readonly parent?: string;
}

export function announceCall(
  state: ClaudeState,
  { call, name, input, title: given, parent }: WholeCall,
): readonly [ClaudeState, readonly Draft[]] {
  const known = state.calls.get(call);
  if (known && JSON.stringify(known.input) === JSON.stringify(input)) return [state, []];
  const kind = toolKind(name);
  const title = toolTitle(name, input) ?? given;
  const locations = toolLocations(input);
  const origin = parent === undefined ? {} : { parent };
  return [
    { ...state, calls: withEntry(state.calls, call, { ...known, name, input }) },
    [
      {
        type: "tool.start",
        call,
        name,
        kind,
        title,
        locations,
        ...origin,
      },
      { type: "tool.input", call, input, ...origin },
    ],
  ];
}
