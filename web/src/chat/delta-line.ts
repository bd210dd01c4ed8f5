/** A line of the chat's stream that adds to a part: how it is told from others, merged and written again. Pure. */
import type { UIMessageChunk } from "ai";

export type Delta = Extract<UIMessageChunk, { type: "text-delta" | "reasoning-delta" | "tool-input-delta" }>;

/** As the daemon writes them. A delta that is written otherwise is not merged, and means the same. */
const DELTA = /^data: (\{"type":"(?:text|reasoning|tool-input)-delta".*)$/s;

/** Undefined for every other line. */
export function readDelta(line: string): Delta | undefined {
  const json = DELTA.exec(line)?.[1];
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    // Who reads the line says what is wrong with it.
    return undefined;
  }
}

export function writeDelta(delta: Delta): string {
  return `data: ${JSON.stringify(delta)}\n\n`;
}

export function lengthOf(delta: Delta): number {
  return (delta.type === "tool-input-delta" ? delta.inputTextDelta : delta.delta).length;
}

/** Both in one; undefined if they do not belong to the same part. */
export function mergedDelta(first: Delta, second: Delta): Delta | undefined {
  if (first.type === "tool-input-delta") {
    if (second.type !== first.type || second.toolCallId !== first.toolCallId) return undefined;
    return { ...first, inputTextDelta: first.inputTextDelta + second.inputTextDelta };
  }
  if (second.type !== first.type || second.id !== first.id || second.providerMetadata) return undefined;
  return { ...first, delta: first.delta + second.delta };
}
