/** What was done between checkpoints, where some of them are no longer there, or what is mixed in a span is not named. */
import type { Span } from "./checkpoint-history.ts";

export interface KnownCheckpoints {
  /** The one that the spans begin from; it is there. */
  readonly from: string;
  /** The last one that is there. */
  readonly last: string;
  readonly kept: ReadonlySet<string>;
  /** The files that differ between two. */
  changedBetween(from: string, to: string): Promise<string[]>;
}

/**
 * Spans whose checkpoints were dropped become one, from the last checkpoint before them that is there to the first one after
 * them. Nobody knows any more who changed what in it: all of it is mixed.
 */
export async function bridgeGaps(spans: readonly Span[], known: KnownCheckpoints): Promise<Span[]> {
  const isWhole = ({ before, after }: Span) => known.kept.has(before) && known.kept.has(after);
  const bridged: Span[] = [];
  for (let at = 0; at < spans.length; ) {
    const span = spans[at]!;
    if (isWhole(span)) {
      const { before, after, allMixed } = span;
      bridged.push(allMixed ? { ...span, mixed: await known.changedBetween(before, after) } : span);
      at += 1;
      continue;
    }
    const before = bridged.at(-1)?.after ?? known.from;
    const next = spans.slice(at).findIndex(isWhole);
    const after = next < 0 ? known.last : spans[at + next]!.before;
    bridged.push({ seq: span.seq, before, after, mixed: await known.changedBetween(before, after) });
    at = next < 0 ? spans.length : at + next;
  }
  return bridged;
}
