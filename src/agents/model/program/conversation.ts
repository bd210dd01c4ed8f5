/**
 * What was said, as the model gets it. Everything is kept, also what a summary stands for, so that a conversation can go
 * back to before it.
 */
import type { ModelMessage } from "ai";

/** A rough guess that errs on the side of too many. */
const CHARACTERS_PER_TOKEN = 3.5;
/** An image costs about this much, however long its data is. */
const IMAGE_TOKENS = 1500;

interface Entry {
  readonly message: ModelMessage;
  /** The prompt it is, if it is one. */
  readonly prompt?: string;
}

interface Summary {
  readonly text: string;
  /** How many entries it stands for. */
  readonly covers: number;
}

export class Conversation {
  readonly #entries: Entry[] = [];
  #summary: Summary | undefined;
  /** What the model counted last, and how many entries it had then. */
  #counted: { tokens: number; entries: number } | undefined;

  constructor(entries: readonly Entry[] = []) {
    this.#entries.push(...entries);
  }

  get lastRole(): ModelMessage["role"] | undefined {
    return this.#entries.at(-1)?.message.role;
  }

  add(message: ModelMessage, prompt?: string): void {
    this.#entries.push({ message, prompt });
  }

  /** Forgets the prompt and all after it. False when it never was there. */
  forgetFrom(prompt: string): boolean {
    const place = this.#entries.findIndex((entry) => entry.prompt === prompt);
    if (place < 0) return false;
    this.#entries.length = place;
    this.#counted = undefined;
    if (this.#summary && this.#summary.covers > place) this.#summary = undefined;
    return true;
  }

  /** What the model is given. */
  get messages(): ModelMessage[] {
    return [...this.#summaryMessages, ...this.#uncovered.map(({ message }) => message)];
  }

  /** How many tokens it has: as the model counted, with a guess for what came since. */
  get tokens(): number {
    if (!this.#counted) return guessTokens(this.messages);
    const since = this.#entries.slice(this.#counted.entries).map(({ message }) => message);
    return this.#counted.tokens + guessTokens(since);
  }

  /** The model said how many tokens it had with everything up to now. */
  count(tokens: number): void {
    if (tokens > 0) this.#counted = { tokens, entries: this.#entries.length };
  }

  /** What a summary would stand for if that many messages stay as they are; empty when there is nothing to gain. */
  toSummarise(kept: number): ModelMessage[] {
    return this.#entries.slice(this.#covered, this.#cut(kept)).map(({ message }) => message);
  }

  /** The summary takes the place of what `toSummarise` gave, and of an earlier summary. */
  summarise(text: string, kept: number): void {
    this.#summary = { text, covers: this.#cut(kept) };
    this.#counted = undefined;
  }

  get summary(): string | undefined {
    return this.#summary?.text;
  }

  get #covered(): number {
    return this.#summary?.covers ?? 0;
  }

  get #uncovered(): readonly Entry[] {
    return this.#entries.slice(this.#covered);
  }

  get #summaryMessages(): ModelMessage[] {
    if (!this.#summary) return [];
    const text = `[Summary of the conversation so far]\n${this.#summary.text}\n[End of the summary]`;
    return [{ role: "user", content: text }];
  }

  /** Results cannot stand without their calls. */
  #cut(kept: number): number {
    let cut = Math.max(this.#covered, this.#entries.length - kept);
    while (cut > this.#covered && this.#entries[cut]?.message.role === "tool") cut -= 1;
    return cut;
  }
}

export function guessTokens(messages: readonly ModelMessage[]): number {
  let characters = 0;
  let images = 0;
  for (const { content } of messages) {
    if (typeof content === "string") {
      characters += content.length;
      continue;
    }
    for (const part of content) {
      if (part.type === "text" || part.type === "reasoning") characters += part.text.length;
      else if (part.type === "file" || part.type === "image") images += 1;
      else if (part.type === "tool-call") characters += (JSON.stringify(part.input) ?? "").length;
      else if (part.type === "tool-result") characters += JSON.stringify(part.output).length;
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * IMAGE_TOKENS;
}
