/**
 * Masks secrets in text that comes in pieces, also if they are escaped as in JSON, or as in JSON within JSON. Each
 * layer reads the text with one more layer of escapes removed. What could be the beginning of a secret is held back
 * until the next piece.
 */
import { SHORT_ESCAPES } from "./json-text.ts";
import { ROOT, type SecretMatcher } from "./secret-matcher.ts";

/** How many layers of escapes are removed: JSON within JSON, and so on. */
export const ESCAPE_LAYERS = 5;

const BACKSLASH = 92;

/** A character of a layer and its position in the text. */
interface Character {
  code: number;
  start: number;
  end: number;
}

interface Match {
  start: number;
  end: number;
  placeholder: string;
}

/** One way to read the text. */
interface Layer {
  state: number;
  /** Where the last characters begin in the text: as many as matter to the state, at least. */
  starts: number[];
  /** An escape that has begun and is not complete. */
  begun: Character[];
}

export class EscapeLayers {
  readonly #matcher: SecretMatcher;
  readonly #placeholders: readonly string[];
  #layers: Layer[] = [{ state: ROOT, starts: [], begun: [] }];
  /** From left to right; none overlaps another. */
  #matches: Match[] = [];
  /** What is held back, and where it begins. */
  #held = "";
  #heldFrom = 0;
  #end = 0;

  /** The placeholders are those of the matcher's texts. */
  constructor(matcher: SecretMatcher, placeholders: readonly string[]) {
    this.#matcher = matcher;
    this.#placeholders = placeholders;
  }

  /** To go on from here without touching this one. */
  copy(): EscapeLayers {
    const copy = new EscapeLayers(this.#matcher, this.#placeholders);
    copy.#layers = this.#layers.map(({ state, starts, begun }) => ({
      state,
      starts: [...starts],
      begun: [...begun],
    }));
    copy.#matches = [...this.#matches];
    copy.#held = this.#held;
    copy.#heldFrom = this.#heldFrom;
    copy.#end = this.#end;
    return copy;
  }

  /** What is held back, as it came. */
  get held(): string {
    return this.#held;
  }

  /** Takes the next piece; returns what can be released, masked. */
  push(text: string): string {
    const from = this.#end;
    this.#held += text;
    this.#end += text.length;
    let backslash = text.indexOf("\\");
    for (let at = 0; at < text.length; at += 1) {
      if (backslash !== -1 && backslash < at) backslash = text.indexOf("\\", at);
      if (this.#hasNothingBegun()) {
        at = this.#matcher.skip(text, at, backslash === -1 ? text.length : backslash);
      }
      this.#read(0, { code: text.charCodeAt(at), start: from + at, end: from + at + 1 });
    }
    return this.#letOut(this.#undecidedFrom());
  }

  /** The end of the text: returns the rest, masked. */
  finish(): string {
    for (let depth = 0; depth < this.#layers.length; depth += 1) {
      const { begun } = this.#layers[depth]!;
      this.#layers[depth]!.begun = [];
      for (const character of begun) this.#read(depth + 1, character);
    }
    return this.#letOut(this.#end);
  }

  #read(depth: number, character: Character): void {
    const layer = this.#layers[depth];
    if (!layer) return;
    // Until the first escape the next layer reads the same.
    if (character.code === BACKSLASH && depth === this.#layers.length - 1 && depth < ESCAPE_LAYERS)
      this.#layers.push({ state: layer.state, starts: [...layer.starts], begun: [] });
    this.#step(layer, character);
    this.#unescape(depth, character);
  }

  #step(layer: Layer, { code, start, end }: Character): void {
    const matcher = this.#matcher;
    layer.state = matcher.next(layer.state, code);
    if (layer.state === ROOT) {
      layer.starts.length = 0;
      return;
    }
    layer.starts.push(start);
    const beginOf = (state: number) => layer.starts.at(-matcher.depth(state))!;
    // A match that begins inside a found secret is dropped.
    while (layer.state !== ROOT && this.#isTaken(beginOf(layer.state)))
      layer.state = matcher.fallback(layer.state);
    const depth = matcher.depth(layer.state);
    if (layer.starts.length > 2 * depth + 1000) layer.starts = layer.starts.slice(-depth || Infinity);
    for (
      let last = matcher.ending(layer.state);
      last !== ROOT;
      last = matcher.ending(matcher.fallback(last))
    ) {
      const placeholder = this.#placeholders[matcher.textOf(last)]!;
      if (this.#note({ start: beginOf(last), end, placeholder })) return;
    }
  }

  #isTaken(start: number): boolean {
    const last = this.#matches.at(-1);
    return start < this.#heldFrom || (last !== undefined && last.start < start && start < last.end);
  }

  /** Passes the decoded character to the next layer. */
  #unescape(depth: number, character: Character): void {
    const layer = this.#layers[depth]!;
    const { begun } = layer;
    if (depth === this.#layers.length - 1) return;
    if (begun.length === 0 && character.code !== BACKSLASH) return this.#read(depth + 1, character);
    begun.push(character);
    if (begun.length === 1) return;
    const text = String.fromCharCode(...begun.map(({ code }) => code));
    const short = begun.length === 2 ? SHORT_ESCAPES[text[1]!] : undefined;
    const isWhole = short !== undefined || /^\\u[0-9a-fA-F]{4}$/.test(text);
    if (!isWhole && /^\\u[0-9a-fA-F]{0,3}$/.test(text)) return;
    layer.begun = [];
    if (isWhole) {
      const code = short?.charCodeAt(0) ?? Number.parseInt(text.slice(2), 16);
      return this.#read(depth + 1, { code, start: begun[0]!.start, end: character.end });
    }
    // It was not an escape: the backslash stands for itself, and what follows is read again.
    this.#read(depth + 1, begun[0]!);
    for (const one of begun.slice(1)) this.#unescape(depth, one);
  }

  /**
   * The leftmost match wins, then the longest. False if it begins inside another match or inside what is already
   * released: a shorter one that ends here may not.
   */
  #note(match: Match): boolean {
    const matches = this.#matches;
    let place = matches.length;
    while (place > 0 && matches[place - 1]!.start >= match.start) place -= 1;
    if (match.start < this.#heldFrom) return false;
    if (place > 0 && matches[place - 1]!.end > match.start) return false;
    // A match that reaches further stays: an invalid escape is noticed late.
    if (place < matches.length && matches.at(-1)!.end > match.end) return false;
    matches.length = place;
    matches.push(match);
    return true;
  }

  /** Where the first incomplete secret could begin. */
  #undecidedFrom(): number {
    let from = this.#end;
    for (const { state, starts, begun } of this.#layers) {
      const pending = this.#matcher.pending(state);
      if (pending > 0) from = Math.min(from, starts.at(-pending)!);
      if (begun.length > 0) from = Math.min(from, begun[0]!.start);
    }
    return from;
  }

  #letOut(undecided: number): string {
    let masked = "";
    let copied = 0;
    let until = Math.max(undecided, this.#heldFrom);
    const decided = this.#matches.filter(({ start }) => start < until);
    for (const { start, end, placeholder } of decided) {
      masked += this.#held.slice(copied, start - this.#heldFrom) + placeholder;
      copied = end - this.#heldFrom;
      until = Math.max(until, end);
    }
    masked += this.#held.slice(copied, until - this.#heldFrom);
    this.#matches.splice(0, decided.length);
    this.#held = this.#held.slice(until - this.#heldFrom);
    this.#heldFrom = until;
    return masked;
  }

  /** Then all layers read the same again. */
  #hasNothingBegun(): boolean {
    if (this.#layers[0]!.state !== ROOT) return false;
    if (!this.#layers.every(({ state, begun }) => state === ROOT && begun.length === 0)) return false;
    this.#layers.length = 1;
    return true;
  }
}
