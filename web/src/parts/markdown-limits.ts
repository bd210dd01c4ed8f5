/**
 * Decides whether a piece of text may be rendered as Markdown. Parsers of Markdown need stack for what is nested and
 * more than linear time for marks that are never closed, so a few kilobytes can end or freeze a page. This looks at
 * each character once and counts; what exceeds a limit is shown as plain text. Pure.
 */

/** Chosen by measuring: what passes takes a parser a few hundred milliseconds at most. */
export const MARKDOWN_LIMITS = {
  characters: 16_384,
  lines: 512,
  /** Quotes and lists inside one another. */
  nesting: 24,
  /** Brackets that are open at the same time. */
  openBrackets: 24,
  /** Characters that may begin or end something inline, in one paragraph and in all. */
  marksOfParagraph: 800,
  marks: 3000,
  /** Columns of a table times its lines. */
  cells: 3000,
  fences: 60,
};

export interface MarkdownScan {
  fits: boolean;
  /** How many characters were looked at. */
  steps: number;
}

export function fitsMarkdown(text: string): boolean {
  return scanMarkdown(text).fits;
}

export function scanMarkdown(text: string): MarkdownScan {
  if (text.length > MARKDOWN_LIMITS.characters) return { fits: false, steps: 0 };
  const scan = new Scan(text);
  const fits = scan.run();
  return { fits, steps: scan.steps };
}

interface Fence {
  mark: string;
  length: number;
  indent: number;
}

class Scan {
  steps = 0;
  readonly #text: string;
  #at = 0;
  #lines = 0;
  #marks = 0;
  #paragraphMarks = 0;
  #openBrackets = 0;
  #mostOpenBrackets = 0;
  /** Lines since the last empty one, and the most pipes of one of them. */
  #blockLines = 0;
  #blockPipes = 0;
  #fences = 0;
  #fence: Fence | undefined;
  /** Whether what looks like code certainly is code. Once it is not, everything counts. */
  #trustsFences = true;
  #listMarker = "";

  constructor(text: string) {
    this.#text = text;
  }

  run(): boolean {
    while (this.#at < this.#text.length) {
      this.#lines += 1;
      if (!this.#line() || !this.#isWithinLimits()) return false;
    }
    return true;
  }

  #isWithinLimits(): boolean {
    return (
      this.#lines <= MARKDOWN_LIMITS.lines &&
      this.#marks <= MARKDOWN_LIMITS.marks &&
      this.#paragraphMarks <= MARKDOWN_LIMITS.marksOfParagraph &&
      this.#mostOpenBrackets <= MARKDOWN_LIMITS.openBrackets &&
      this.#fences <= MARKDOWN_LIMITS.fences &&
      (this.#blockPipes + 1) * this.#blockLines <= MARKDOWN_LIMITS.cells
    );
  }

  #line(): boolean {
    const start = this.#at;
    const { depth, indent, marker } = this.#prefix();
    if (this.#isLineEnd()) {
      this.#endLine();
      if (depth === 0 && !this.#fence) this.#startBlock();
      return depth <= MARKDOWN_LIMITS.nesting;
    }
    if (this.#fence) {
      if (indent >= this.#fence.indent && this.#isInsideFence(depth, indent)) return true;
      // It ended with the item it stood in, or it stood in none and goes on.
      this.#fence = undefined;
      this.#trustsFences = false;
      this.#at = start;
      return this.#line();
    }
    if (depth + Math.floor(indent / 2) > MARKDOWN_LIMITS.nesting) return false;
    if (this.#opensFence(depth, indent)) return true;
    // A fence inside HTML does not count, and finding the end of HTML is not worth it.
    if (this.#text[this.#at] === "<") this.#trustsFences = false;
    if (marker !== "" && this.#isNewItem(depth, indent, marker)) this.#startParagraph();
    this.#blockLines += 1;
    this.#inline();
    return true;
  }

  /** Everything before the text of a line: white space and the marks of quotes and lists. */
  #prefix(): { depth: number; indent: number; marker: string } {
    let depth = 0;
    let indent = 0;
    let marker = "";
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at]!;
      if (character === " ") indent += 1;
      else if (character === "\t") indent += 4;
      else if (character === ">") depth += 1;
      else {
        const length = this.#markerLength();
        if (length === 0) break;
        depth += 1;
        if (marker === "") marker = character >= "0" && character <= "9" ? "1" : character;
        this.#step(length);
        continue;
      }
      this.#step(1);
    }
    return { depth, indent, marker };
  }

  /** The length of a list marker that stands here; 0 when there is none. */
  #markerLength(): number {
    const character = this.#text[this.#at]!;
    let length = 0;
    if (character === "-" || character === "+" || character === "*") length = 1;
    else {
      while (length < 10 && isDigit(this.#text[this.#at + length])) length += 1;
      const end = this.#text[this.#at + length];
      length = length > 0 && (end === "." || end === ")") ? length + 1 : 0;
    }
    const next = this.#text[this.#at + length];
    return length > 0 && (next === undefined || next === " " || next === "\t" || isNewline(next))
      ? length
      : 0;
  }

  /**
   * Whether a list marker begins a new item, and with it a paragraph of its own. Further in, the line may as well go
   * on with the paragraph before, and so may a number that follows no numbered item.
   */
  #isNewItem(depth: number, indent: number, marker: string): boolean {
    const isSure = depth === 1 && indent <= 4 && (marker !== "1" || this.#listMarker === "1");
    this.#listMarker = marker;
    return isSure;
  }

  #opensFence(depth: number, indent: number): boolean {
    const mark = this.#text[this.#at]!;
    if (mark !== "`" && mark !== "~") return false;
    const length = this.#runLength(mark);
    if (length < 3) return false;
    this.#fences += 1;
    if (depth > 0 || indent > 3 || !this.#trustsFences) return false;
    const lineStart = this.#at + length;
    let end = lineStart;
    while (end < this.#text.length && !isNewline(this.#text[end]!)) {
      // A run of backticks with another in its line is code in a line.
      if (mark === "`" && this.#text[end] === "`") return false;
      end += 1;
    }
    this.#step(end - this.#at);
    this.#endLine();
    this.#startBlock();
    this.#fence = { mark, length, indent };
    return true;
  }

  /** Reads a line of code. False when it is not one, since a fence ends with what it stands in. */
  #isInsideFence(depth: number, indent: number): boolean {
    const { mark, length } = this.#fence!;
    const run = depth === 0 && indent <= 3 ? this.#runLength(mark) : 0;
    let isBlankAfter = run >= length;
    this.#step(run);
    while (!this.#isLineEnd()) {
      const character = this.#text[this.#at]!;
      if (character !== " " && character !== "\t") isBlankAfter = false;
      this.#step(1);
    }
    this.#endLine();
    if (isBlankAfter) this.#fence = undefined;
    return true;
  }

  #runLength(mark: string): number {
    let length = 0;
    while (this.#text[this.#at + length] === mark) length += 1;
    return length;
  }

  #inline(): void {
    let pipes = 0;
    while (!this.#isLineEnd()) {
      switch (this.#text[this.#at]) {
        case "[":
          this.#openBrackets += 1;
          this.#mostOpenBrackets = Math.max(this.#mostOpenBrackets, this.#openBrackets);
          this.#mark();
          break;
        case "]":
          this.#openBrackets = Math.max(0, this.#openBrackets - 1);
          this.#mark();
          break;
        case "*":
        case "_":
        case "~":
        case "`":
        case "<":
        case "&":
        case "@":
          this.#mark();
          break;
        case ":":
          if (this.#text.startsWith("://", this.#at)) this.#mark();
          break;
        case "w":
        case "W":
          if (this.#text[this.#at + 3] === ".") this.#mark();
          break;
        case "|":
          pipes += 1;
          break;
      }
      this.#step(1);
    }
    this.#endLine();
    this.#blockPipes = Math.max(this.#blockPipes, pipes);
  }

  #mark(): void {
    this.#marks += 1;
    this.#paragraphMarks += 1;
  }

  #startParagraph(): void {
    this.#paragraphMarks = 0;
    this.#openBrackets = 0;
  }

  #startBlock(): void {
    this.#startParagraph();
    this.#blockLines = 0;
    this.#blockPipes = 0;
  }

  #isLineEnd(): boolean {
    return this.#at >= this.#text.length || isNewline(this.#text[this.#at]!);
  }

  #endLine(): void {
    const isPair = this.#text[this.#at] === "\r" && this.#text[this.#at + 1] === "\n";
    this.#step(isPair ? 2 : 1);
  }

  #step(by: number): void {
    this.#at += by;
    this.steps += by;
  }
}

function isNewline(character: string): boolean {
  return character === "\n" || character === "\r";
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}
