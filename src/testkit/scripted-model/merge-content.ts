/** Content as blocks: text behind text is one block, thinking behind thinking too; each call is its own. */
import type { ContentBeat } from "./script.ts";

export function mergeContent(content: readonly ContentBeat[]): ContentBeat[] {
  const merged: ContentBeat[] = [];
  for (const beat of content) {
    const last = merged.at(-1);
    if (last && continues(last, beat)) merged[merged.length - 1] = join(last, beat);
    else merged.push(beat);
  }
  return merged;
}

/** Whether a beat goes on with the block that the one before it began. */
export function continues(last: ContentBeat, next: ContentBeat): boolean {
  return last.beat === next.beat && (next.beat === "text" || next.beat === "thinking");
}

function join(last: ContentBeat, next: ContentBeat): ContentBeat {
  if (!("pieces" in last) || !("pieces" in next)) return next;
  return { ...last, pieces: [...last.pieces, ...next.pieces] };
}
