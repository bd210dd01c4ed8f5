/** What is known of a call before its result, at the top level and inside a sub-agent. */
import type { EventOf } from "../../../core/event.ts";
import type { EditedInput } from "../data-part.ts";
import { parsePartialJson } from "../partial-json.ts";
import { type JsonValue, ourMetadata, type ProviderMetadata } from "../ui-message.ts";

export interface ToolCall {
  id: string;
  name: string;
  title?: string;
  kind?: string;
  locations?: EventOf<"tool.start">["locations"];
  inputText: string;
  /** The complete input; undefined until it has come. */
  input?: unknown;
  /** Who changed the input before it was allowed, and what the agent had proposed. */
  edited?: EditedInput;
}

export function startCall(event: EventOf<"tool.start">): ToolCall {
  const { call, name, title, kind, locations } = event;
  return { id: call, name, title, kind, locations, inputText: "" };
}

/** Mutates `call`. */
export function updateCall(
  call: ToolCall,
  event: EventOf<"tool.updated" | "tool.input.delta" | "tool.input">,
): void {
  if (event.type === "tool.input.delta") {
    call.inputText += event.delta;
  } else if (event.type === "tool.input") {
    if (event.by !== undefined)
      call.edited = { by: event.by, proposed: call.edited?.proposed ?? inputSoFar(call) };
    call.input = event.input ?? {};
    call.inputText = "";
  } else {
    call.name = event.name ?? call.name;
    call.title = event.title ?? call.title;
    call.kind = event.kind ?? call.kind;
    call.locations = event.locations ?? call.locations;
  }
}

/** The input, or as much of it as could be read. */
export function inputSoFar(call: ToolCall): unknown {
  return inputGiven(call) ?? {};
}

/** Undefined if nothing of it has come. */
export function inputGiven(call: ToolCall): unknown {
  return call.input ?? parsePartialJson(call.inputText);
}

export function toolMetadata({ kind, locations, edited }: ToolCall): ProviderMetadata | undefined {
  if (kind === undefined && locations === undefined && edited === undefined) return undefined;
  return ourMetadata({
    ...(kind !== undefined && { kind }),
    ...(locations && { locations }),
    ...(edited && { edited: edited as { by: string; proposed: JsonValue } }),
  });
}
