/** Breaks lines between words where the terminal ends, also while the text is still arriving. */
import { widthOf } from "./text-width.ts";

/** A line break, spaces, a character that may stand alone (there are no spaces in Chinese and Japanese), or a word. */
const TOKEN =
  /\n|[^\S\n]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;
const STANDS_ALONE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u;
/** For a space where no line may end. Of those characters that nobody uses. */
const UNBROKEN = "\ue000";
/** As much of a line as tells what kind it is. */
const BEGINNING = 40;
/** What is broken continues below its first word: in the second column of a row, in an item of a list, indented. */
const INDENT = /^(?:[\s*]\s*\S+(?: \S+)* {2,}|\s*(?:(?:[-*+•]|\d+[.)])\s+)?)/;
const FENCE = /^\s*(?:```|~~~)/;
/** Rows of a table, and code that is indented. */
const VERBATIM = /^(?:\s*\||(?: {4,}|\t)(?![\s\-*+•\d]))/;

/** Code blocks and tables are left as they are, and so is a word that is longer than a line. */
export class WordWrap {
  #column = 0;
  /** Spaces before the word, written with it. */
  #spaces = "";
  /** A word whose end is still to come. */
  #word = "";
  /** Whether the beginning of the word is written already. */
  #isInWord = false;
  /** Whether somebody else has ended the line in the middle: what comes next begins one without spaces. */
  #isCutOff = false;
  /** Of the line as it was given. */
  #beginning = "";
  #isInCode = false;

  /** What can be written now. */
  push(text: string, columns: number): string {
    let written = "";
    for (const [token] of text.matchAll(TOKEN)) written += this.#take(token, columns);
    return written;
  }

  /** What was kept back. */
  flush(columns: number): string {
    const written = this.#endWord(columns);
    this.#isInWord = false;
    return written;
  }

  /** Somebody else has ended the line. */
  lineEnded(): void {
    if (this.#column > 0) {
      this.#spaces = "";
      this.#isCutOff = true;
    }
    this.#column = 0;
    this.#isInWord = false;
  }

  #take(token: string, columns: number): string {
    if (token === "\n") return this.#endLine(columns);
    this.#beginning = (this.#beginning + token).slice(0, BEGINNING);
    const isSpace = token.trim() === "";
    if (isSpace || STANDS_ALONE.test(token)) {
      const before = this.flush(columns);
      if (!isSpace) this.#word = token;
      else if (!this.#isCutOff) this.#spaces += token;
      return isSpace ? before : before + this.flush(columns);
    }
    this.#word += token;
    const isTooLong = this.#column + widthOf(this.#spaces + this.#word) > columns;
    if (!this.#isInWord && !isTooLong) return "";
    const written = this.#endWord(columns);
    this.#isInWord = true;
    return written;
  }

  #endLine(columns: number): string {
    const written = this.flush(columns);
    if (FENCE.test(this.#beginning)) this.#isInCode = !this.#isInCode;
    this.#beginning = "";
    this.#spaces = "";
    this.#column = 0;
    this.#isCutOff = false;
    return `${written}\n`;
  }

  #endWord(columns: number): string {
    if (this.#word === "") return "";
    const written = this.#mustBreak(columns)
      ? `\n${this.#indent(columns)}${this.#word}`
      : this.#spaces + this.#word;
    const width = widthOf(written.replace(/^\n/, ""));
    this.#column = written.startsWith("\n") ? width : this.#column + width;
    this.#spaces = "";
    this.#word = "";
    this.#isCutOff = false;
    return written;
  }

  #mustBreak(columns: number): boolean {
    if (this.#isInWord || this.#column === 0 || this.#isInCode || VERBATIM.test(this.#beginning))
      return false;
    return this.#column + widthOf(this.#spaces + this.#word) > columns;
  }

  #indent(columns: number): string {
    const width = widthOf(INDENT.exec(this.#beginning)?.[0] ?? "");
    return width < columns / 2 ? " ".repeat(width) : "";
  }
}

/** @param columns Of the terminal; undefined where nobody looks at it. */
export function wrapText(text: string, columns: number | undefined): string {
  if (!columns) return text.replaceAll(UNBROKEN, " ");
  const wrap = new WordWrap();
  // A command between backticks has to be copied as a whole.
  const joined = text.replace(/`[^`\n]+`/g, unbroken);
  return (wrap.push(joined, columns) + wrap.flush(columns)).replaceAll(UNBROKEN, " ");
}

/** Text that `wrapText` leaves in one line, such as a command that is to be copied. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", UNBROKEN);
}
