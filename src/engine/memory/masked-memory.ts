/** Masks what an agent keeps of its conversation before it is stored, and puts secrets back before the agent gets it. */
import { isUtf8 } from "node:buffer";
import type { TimeSlices } from "../../core/time-slices.ts";
import { isTextWithPlaceholders } from "../secrets/placeholder.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";

/** Lines are masked one by one, since each is JSON of its own. Rejects where bytes would be lost. */
export async function maskMemory(
  data: Uint8Array,
  part: string,
  mask: SecretMask,
  slices: TimeSlices,
): Promise<Uint8Array> {
  if (!isUtf8(data)) throw new Error(`${part} is not UTF-8`);
  if (mask.isEmpty) return data;
  return toBytes(await maskedTexts(data, part, mask, slices));
}

export function revealMemory(data: Uint8Array, part: string, mask: SecretMask): Uint8Array {
  return toBytes(textsOf(data, part).map((text) => mask.reveal(text)));
}

/** Whether `stored` was made of `data`, by a mask that may have known other values. */
export async function isMaskedFrom(
  stored: Uint8Array,
  data: Uint8Array,
  part: string,
  mask: SecretMask,
  slices: TimeSlices,
): Promise<boolean> {
  const texts = textsOf(stored, part);
  const masked = await maskedTexts(data, part, mask, slices);
  if (texts.length !== masked.length) return false;
  for (const [place, text] of texts.entries()) {
    if (!isTextWithPlaceholders(masked[place]!, text)) return false;
    await slices.pause();
  }
  return true;
}

async function maskedTexts(
  data: Uint8Array,
  part: string,
  mask: SecretMask,
  slices: TimeSlices,
): Promise<string[]> {
  const texts = textsOf(data, part);
  using _prepared = await mask.prepare(texts, slices);
  return texts.map((text) => mask.text(text));
}

function textsOf(data: Uint8Array, part: string): string[] {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  return part.endsWith(".jsonl") ? text.split(/(?<=\n)/) : [text];
}

function toBytes(texts: readonly string[]): Uint8Array {
  return new TextEncoder().encode(texts.join(""));
}
