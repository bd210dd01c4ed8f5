/**
 * What was streamed and has not come again in an `assistant` message, so that nothing is told twice. Bounded: of very long
 * streams it only knows that they were there.
 */

const MAX_STREAMED_CHARACTERS = 4 * 1024 * 1024;
const MAX_STREAMED_TEXTS = 10_000;

export type TextKind = "text" | "thinking";

/** One text that was streamed, less what came whole. */
interface StreamedText {
  readonly kind: TextKind;
  /** Its id, where it has one. */
  readonly part: string | undefined;
  pieces: string[];
  /** More may follow. */
  isOpen: boolean;
}

export class StreamedContent {
  #texts: StreamedText[] = [];
  readonly #images = new Map<string, number>();
  #characters = 0;
  #isFull = false;

  add(kind: TextKind, text: string, part: string | undefined): void {
    this.#characters += text.length;
    if (this.#characters > MAX_STREAMED_CHARACTERS || this.#texts.length > MAX_STREAMED_TEXTS) {
      this.#isFull = true;
      this.#texts = [];
      return;
    }
    const open = this.#texts.findLast((each) => each.isOpen && each.kind === kind && each.part === part);
    if (open) open.pieces.push(text);
    else this.#texts.push({ kind, part, pieces: [text], isOpen: true });
  }

  /** A block begins or ends: what follows is another text. */
  cut(kind: TextKind, part: string | undefined): void {
    for (const each of this.#texts) if (each.kind === kind && each.part === part) each.isOpen = false;
  }

  addImage(data: string): void {
    const key = imageKey(data);
    this.#images.set(key, (this.#images.get(key) ?? 0) + 1);
  }

  /** Of a text that comes whole, what was not streamed: all of it, nothing, or the rest of the part that is named. */
  take(kind: TextKind, text: string): { news: string; restOf?: { part: string | undefined } } {
    if (text === "" || this.#isFull) return { news: "" };
    const texts = this.#texts.filter((each) => each.kind === kind);
    for (const each of texts) {
      const known = each.pieces.join("");
      const place = known.indexOf(text);
      if (place < 0) continue;
      each.pieces = [known.slice(place + text.length)];
      return { news: "" };
    }
    // Several that were streamed may come as one.
    if (
      texts
        .map(({ pieces }) => pieces.join(""))
        .join("")
        .includes(text)
    )
      return { news: "" };
    const begun = texts.findLast(({ isOpen, pieces }) => {
      const known = pieces.join("");
      return isOpen && known !== "" && text.startsWith(known);
    });
    if (!begun) return { news: text };
    const news = text.slice(begun.pieces.join("").length);
    begun.pieces = [];
    return { news, restOf: { part: begun.part } };
  }

  /** True for an image that was streamed before. */
  takeImage(data: string): boolean {
    const key = imageKey(data);
    const count = this.#images.get(key) ?? 0;
    if (count === 0) return false;
    if (count === 1) this.#images.delete(key);
    else this.#images.set(key, count - 1);
    return true;
  }
}

function imageKey(data: string): string {
  return `${data.length}:${data.slice(0, 64)}:${data.slice(-64)}`;
}
