/** The keys that bring back what was typed before: Up and Down, and Ctrl-R, which searches. */

/** The line that is typed at. */
export interface EditedLine {
  readonly text: string;
  /** @param prompt What stands before it; its usual one when absent. */
  replace(text: string, prompt?: string): void;
}

export interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

interface Search {
  /** What was typed before it began. */
  readonly before: string;
  query: string;
  /** Of the entry that is shown; -1 when none has the words. */
  place: number;
}

export class HistoryKeys {
  readonly #line: EditedLine;
  /** Newest first. */
  readonly #entries: string[];
  /** Of the entry in the line; -1 while that is what was typed. */
  #place = -1;
  /** What was typed before Up; the entries that begin so are gone through. */
  #typed = "";
  #search: Search | undefined;

  constructor(line: EditedLine, entries: readonly string[]) {
    this.#line = line;
    this.#entries = [...entries];
  }

  add(text: string): void {
    this.end();
    const known = this.#entries.indexOf(text);
    if (known !== -1) this.#entries.splice(known, 1);
    if (text.trim() !== "") this.#entries.unshift(text);
  }

  /** What is shown is now what was typed. */
  end(): void {
    this.#place = -1;
    if (!this.#search) return;
    this.#search = undefined;
    this.#line.replace(this.#line.text);
  }

  /** Whether the key was one of these; the line takes the others. */
  take(text: string | undefined, key: Key): boolean {
    if (this.#search) return this.#takeInSearch(this.#search, text, key);
    if (key.ctrl && key.name === "r") return this.#begin();
    const isPlain = !key.ctrl && !key.meta;
    if (isPlain ? key.name === "up" : key.ctrl && key.name === "p") return this.#go(1);
    if (isPlain ? key.name === "down" : key.ctrl && key.name === "n") return this.#go(-1);
    this.#place = -1;
    return false;
  }

  #go(step: 1 | -1): true {
    if (this.#place === -1) this.#typed = this.#line.text;
    const shown = this.#line.text;
    let place = this.#place + step;
    while (place >= 0 && place < this.#entries.length && !this.#isNews(place, shown)) place += step;
    if (place >= this.#entries.length || (place < 0 && this.#place === -1)) return true;
    this.#place = Math.max(place, -1);
    this.#line.replace(this.#entries[this.#place] ?? this.#typed);
    return true;
  }

  #isNews(place: number, shown: string): boolean {
    const entry = this.#entries[place]!;
    return entry !== shown && entry.startsWith(this.#typed);
  }

  #begin(): true {
    this.#search = { before: this.#line.text, query: "", place: -1 };
    this.#show(this.#search);
    return true;
  }

  #takeInSearch(search: Search, text: string | undefined, key: Key): boolean {
    const { query, place } = search;
    if (key.name === "escape" || (key.ctrl && (key.name === "c" || key.name === "g"))) {
      this.#search = undefined;
      this.#line.replace(search.before);
    } else if (key.ctrl && key.name === "r") this.#find(search, query, place + 1);
    else if (key.name === "backspace") this.#find(search, [...query].slice(0, -1).join(""), 0);
    else if (!key.ctrl && !key.meta && text !== undefined && /^[^\p{Cc}]+$/u.test(text))
      this.#find(search, query + text, Math.max(place, 0));
    else {
      // Any other key takes what was found, and does there what it does.
      this.end();
      return false;
    }
    return true;
  }

  /** From this place on, towards older ones. If there is none, what is shown stays. */
  #find(search: Search, query: string, from: number): void {
    search.query = query;
    const found =
      query === "" ? -1 : this.#entries.findIndex((entry, n) => n >= from && entry.includes(query));
    if (found !== -1 || !this.#entries[search.place]?.includes(query)) search.place = found;
    this.#show(search);
  }

  #show({ query, place, before }: Search): void {
    const isInVain = query !== "" && place === -1;
    this.#line.replace(this.#entries[place] ?? before, `(${isInVain ? "not found" : "search"}: ${query}) `);
  }
}
