/** Reads the text of a git config as git's own parser does, in one pass. It follows no includes. */

export interface GitConfigEntry {
  /** In lower case, without its subsection. */
  readonly section: string;
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/**
 * The entries of a config that have a value. Git stops at the first error, and so does this. A value that versions of git
 * read in two ways comes twice.
 *
 * @example [...readGitConfig('[includeIf "gitdir:/;x"] path = more')]
 * // => [{ section: "includeif", name: "path", value: "more" }]
 */
export function* readGitConfig(text: string): Generator<GitConfigEntry> {
  const reader = new Reader(text);
  let section = "";
  for (;;) {
    reader.skipSpaceAndComments();
    const character = reader.next();
    if (character === undefined) return;
    if (character === "[") {
      const header = readHeader(reader);
      if (header === undefined) return;
      section = header;
    } else {
      if (!/[a-z]/i.test(character)) return;
      const name = (character + reader.takeWhile(/[a-z0-9-]/i)).toLowerCase();
      reader.takeWhile(/[ \t]/);
      const separator = reader.next() ?? "\n";
      if (separator === "\n") continue;
      const values = separator === "=" ? readValue(reader) : undefined;
      if (values === undefined) return;
      for (const value of values) yield { section, name, value };
    }
  }
}

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text.replaceAll("\r\n", "\n");
    this.#at = this.#text.startsWith("\uFEFF") ? 1 : 0;
  }

  next(): string | undefined {
    return this.#text[this.#at++];
  }

  takeWhile(character: RegExp): string {
    const start = this.#at;
    while (this.#at < this.#text.length && character.test(this.#text[this.#at]!)) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  skipSpaceAndComments(): void {
    for (;;) {
      this.takeWhile(SPACE);
      const character = this.#text[this.#at];
      if (character !== "#" && character !== ";") return;
      this.takeWhile(/[^\n]/);
    }
  }
}

/** No other characters are space for git. */
const SPACE = /[ \t\n\r]/;

/** The rest of `[section "subsection"]`. Undefined for what git refuses. */
function readHeader(reader: Reader): string | undefined {
  const name = reader.takeWhile(/[a-z0-9.-]/i).toLowerCase();
  const section = name.split(".", 1)[0];
  const end = reader.next();
  if (end === "]") return section;
  if (end !== " " && end !== "\t" && end !== "\r") return undefined;
  reader.takeWhile(/[ \t\r]/);
  if (reader.next() !== '"') return undefined;
  for (;;) {
    const character = reader.next();
    if (character === '"') return reader.next() === "]" ? section : undefined;
    const isEscaped = character === "\\";
    const last = isEscaped ? reader.next() : character;
    if (last === undefined || last === "\n") return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' },
  // The value goes on in the next line.
  "\n": "",
};

/** Up to the end of the line. Undefined for what git refuses. Git before 2.45 makes a space of a tab without quotes. */
function readValue(reader: Reader): ReadonlySet<string> | undefined {
  const pieces: string[] = [];
  const older: string[] = [];
  let kept = 0;
  let isQuoted = false;
  const add = (piece: string, olderPiece = piece) => {
    pieces.push(piece);
    older.push(olderPiece);
  };
  for (;;) {
    const character = reader.next() ?? "\n";
    if (character === "\n") {
      if (isQuoted) return undefined;
      return new Set([pieces, older].map((some) => some.slice(0, kept).join("")));
    }
    if (!isQuoted && SPACE.test(character)) {
      if (pieces.length > 0) add(character, " ");
      continue;
    }
    if (!isQuoted && (character === "#" || character === ";")) {
      reader.takeWhile(/[^\n]/);
      continue;
    }
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\") {
      const escaped = ESCAPES[reader.next() ?? "\n"];
      if (escaped === undefined) return undefined;
      // Nothing has been said yet: spaces that follow are passed over.
      if (escaped !== "") add(escaped);
    } else add(character);
    kept = pieces.length;
  }
}
