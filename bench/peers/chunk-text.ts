/** What the fast agent writes, and how it is found again in whatever a gateway makes of it. */

/** Number and moment, and as many words as a model says at a time. */
export function chunkText(number: number): string {
  return `~${number}@${clock()}~ and so it goes on.`;
}

const MARK = /~(\d+)@(\d+)~/g;

export interface Chunk {
  readonly number: number;
  readonly sentAt: number;
}

export function* findChunks(text: string): Generator<Chunk> {
  for (const [, number, sentAt] of text.matchAll(MARK)) {
    yield { number: Number(number), sentAt: Number(sentAt) };
  }
}

/** Microseconds on a clock that all processes of the machine share. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
