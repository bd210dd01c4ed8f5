/**
 * Counts the levels and values of a JSON text as its bytes arrive, so that an excessive text is refused before it is
 * parsed.
 */

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

export class JsonComplexity {
  /** The deepest level so far. */
  deepest = 0;
  /** Keys, entries of lists, objects and lists. A string counts once, however long it is. */
  values = 0;
  #depth = 0;
  #isInString = false;
  /** Whether the first byte of the next piece belongs to an escape. */
  #isEscaped = false;

  add(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) at = this.#isInString ? this.#skipString(piece, at) : this.#count(piece, at);
  }

  /** Returns the position after the string, or the end of the piece. */
  #skipString(piece: Buffer, start: number): number {
    let from = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      from += 1;
    }
    for (let at = from; ; ) {
      const quote = piece.indexOf(QUOTE, at);
      const end = quote < 0 ? piece.length : quote;
      const isEscaped = backslashesBefore(piece, end, from) % 2 === 1;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return piece.length;
      }
      if (!isEscaped) {
        this.#isInString = false;
        return quote + 1;
      }
      at = quote + 1;
      from = at;
    }
  }

  /** Returns the position after the next quote, or the end of the piece. */
  #count(piece: Buffer, start: number): number {
    for (let at = start; at < piece.length; at += 1) {
      switch (piece[at]) {
        case QUOTE:
          this.#isInString = true;
          return at + 1;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          this.values += 1;
          this.#depth += 1;
          if (this.#depth > this.deepest) this.deepest = this.#depth;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.#depth -= 1;
          break;
        case COMMA:
        case COLON:
          this.values += 1;
      }
    }
    return piece.length;
  }
}

function backslashesBefore(piece: Buffer, end: number, start: number): number {
  let at = end;
  while (at > start && piece[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}
