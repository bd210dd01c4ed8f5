/** Masks what an agent keeps of its conversation before it is stored, and puts secrets back before the agent gets it. */
import type { TimeSlices } from "../core/time-slices.ts";
import type { SecretMask } from "./secret-mask.ts";

/** Lines are masked one by one, since each is JSON of its own. */
export async function maskMemory(
  data: Uint8Array,
  part: string,
  mask: SecretMask,
  slices: TimeSlices,
): Promise<Uint8Array> {
  if (mask.isEmpty) return data;
  const texts = textsOf(data, part);
  using _prepared = await mask.prepare(texts, slices);
  return toBytes(texts.map((text) => mask.text(text)));
}

export function revealMemory(data: Uint8Array, part: string, mask: SecretMask): Uint8Array {
  return toBytes(textsOf(data, part).map((text) => mask.reveal(text)));
}

function textsOf(data: Uint8Array, part: string): string[] {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  return part.endsWith(".jsonl") ? text.split(/(?<=\n)/) : [text];
}

function toBytes(texts: readonly string[]): Uint8Array {
  return new TextEncoder().encode(texts.join(""));
}
