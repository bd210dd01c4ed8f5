/** The parts of the AI SDK's stream → drafts. */
import type { Draft } from "../../../core/draft.ts";
import { unusedMessages } from "../../transport/unused-messages.ts";
import type { WireEventOf, WirePart } from "../wire.ts";

type PartEvent = WireEventOf<"part">;
type PartType = WirePart["type"];

/** The fields without which a part means nothing; every one of them is a string. */
const NEEDED: Readonly<Record<PartType, readonly string[]>> = {
  "text-start": ["id"],
  "text-delta": ["id", "text"],
  "text-end": ["id"],
  "reasoning-start": ["id"],
  "reasoning-delta": ["id", "text"],
  "reasoning-end": ["id"],
  "tool-input-start": ["id", "toolName"],
  "tool-input-delta": ["id", "delta"],
  "tool-input-end": ["id"],
  "tool-call": ["toolCallId", "toolName"],
  "tool-error": ["toolCallId", "error"],
  source: ["id"],
  file: [],
  "finish-step": [],
  error: [],
  start: [],
  "start-step": [],
  finish: [],
  abort: [],
  custom: [],
  raw: [],
  ping: [],
  "reasoning-file": [],
};

export const UNUSED_PARTS = unusedMessages<PartType>({
  "The steps are told by events of the program": ["start", "start-step", "finish"],
  "How a turn ended is told by turn_finished": ["error", "abort"],
  "The whole input follows in tool-call": ["tool-input-end"],
  "Kept as a record; its content comes in other parts": ["raw", "custom", "ping", "reasoning-file"],
});

export function isWirePart(part: unknown): part is WirePart {
  if (typeof part !== "object" || part === null) return false;
  const fields = part as Readonly<Record<string, unknown>>;
  const { type } = fields;
  if (typeof type !== "string" || !Object.hasOwn(NEEDED, type)) return false;
  return NEEDED[type as PartType].every((field) => typeof fields[field] === "string");
}

export function translatePart(
  event: PartEvent,
  kinds: ReadonlyMap<string, string>,
): readonly [readonly Draft[], (readonly string[])?] {
  const { part, request } = event;
  const unused = UNUSED_PARTS.get(part.type);
  if (unused !== undefined) return [[], [`part/${part.type}`]];
  const idOf = (id: string) => partId(request, id);
  switch (part.type) {
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end": {
      const [kind, action] = part.type.split("-") as ["text" | "reasoning", "start" | "end"];
      return [[{ type: `${kind}.${action}`, part: idOf(part.id) }]];
    }
    case "text-delta":
    case "reasoning-delta": {
      const kind = part.type === "text-delta" ? "text" : "reasoning";
      // A signature comes as an empty one.
      if (part.text === "") return [[]];
      return [[{ type: `${kind}.delta`, part: idOf(part.id), delta: part.text }]];
    }
    case "tool-input-start":
      return [[{ type: "tool.start", call: part.id, name: part.toolName, kind: kinds.get(part.toolName) }]];
    case "tool-input-delta":
      return [[{ type: "tool.input.delta", call: part.id, delta: part.delta }]];
    case "tool-call": {
      const { toolCallId: call, toolName: name, input } = part;
      return [
        [
          { type: "tool.start", call, name, kind: kinds.get(name) },
          { type: "tool.input", call, input },
        ],
      ];
    }
    case "tool-error":
      return [[{ type: "tool.failed", call: part.toolCallId, error: part.error }]];
    case "source":
      return [[{ type: "source", id: part.id, url: part.url, title: part.title }]];
    case "file": {
      const { base64, mediaType } = part.file ?? {};
      if (typeof base64 !== "string" || typeof mediaType !== "string") return [[]];
      return [[{ type: "file", url: `data:${mediaType};base64,${base64}`, mediaType }]];
    }
    case "finish-step":
      return [usage(event, part)];
    default:
      return [[]];
  }
}

/** The ids of parts begin anew in each answer of a model. */
export function partId(request: number, id: string): string {
  return `${request}:${id}`;
}

/** What the provider did not count is unknown, and not 0. */
function usage(
  { model, dollars, window, isAside }: PartEvent,
  { usage: spent }: Extract<WirePart, { type: "finish-step" }>,
): readonly Draft[] {
  const { inputTokens: input, outputTokens: output, inputTokenDetails, outputTokenDetails } = spent ?? {};
  if (input === undefined && output === undefined) return [];
  const isWhole = input !== undefined && output !== undefined && !isAside;
  const context = isWhole
    ? { used: input + output, ...(window !== undefined && { size: window }) }
    : undefined;
  return [
    {
      type: "usage",
      input,
      output,
      reasoning: outputTokenDetails?.reasoningTokens,
      cacheRead: inputTokenDetails?.cacheReadTokens,
      cacheWrite: inputTokenDetails?.cacheWriteTokens,
      cost: dollars,
      model,
      ...(context && { context }),
    },
  ];
}
