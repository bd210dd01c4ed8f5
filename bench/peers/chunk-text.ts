/** What the fast agent writes, and how it is found again in whatever bytes a gateway makes of it. */
import { clock } from "../harness/clock.ts";

const TILDE = 0x7e;
const AT = 0x40;
const ZERO = 0x30;
/** Every number and every moment has as many digits as any other, so that they are read without being searched. */
const FIRST_NUMBER = 10_000_000;
const NUMBER_END = 9;
const FIRST_MOMENT = 1e12;
const MARK_END = 23;

/** Bytes from the tilde to the last digit. */
export const MARK_LENGTH = MARK_END;

export function moment(): string {
  return String(FIRST_MOMENT + Math.floor(clock()));
}

/** Number and moment, and as many words as a model says at a time. */
export function chunkText(number: number, sentAt: string): string {
  return `~${FIRST_NUMBER + number}@${sentAt} and so it goes on.`;
}

/** Where the next mark begins; -1 where there is none that is whole. */
export function nextMark(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(TILDE, from);
  return at + MARK_END > bytes.length ? -1 : at;
}

export function markNumber(bytes: Buffer, at: number): number {
  if (bytes[at + NUMBER_END] !== AT) throw new Error("A gateway cut a chunk in two.");
  return digits(bytes, at + 1, at + NUMBER_END) - FIRST_NUMBER;
}

/** In microseconds of the common clock. */
export function markMoment(bytes: Buffer, at: number): number {
  return digits(bytes, at + NUMBER_END + 1, at + MARK_END) - FIRST_MOMENT;
}

function digits(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index += 1) value = value * 10 + (bytes[index] as number) - ZERO;
  return value;
}

/** What the agent asks permission for; it says when it asked. */
export function askTitle(): string {
  return `Run ^${moment()}`;
}

const ASKED = /\^(\d{13})/g;

/** When the newest request in this text was made; undefined where it has none. */
export function askedAt(text: string): number | undefined {
  const last = [...text.matchAll(ASKED)].at(-1);
  return last && Number(last[1]) - FIRST_MOMENT;
}
