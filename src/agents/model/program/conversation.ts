/**
 * What was said, as the model gets it. Everything is kept, also what a summary stands for, so that a conversation can go
 * back to before it.
 */
import type { ModelMessage } from "ai";
import { guessTokens } from "./guess-tokens.ts";
import { leaveOutContent, leaveOutFiles } from "./leave-out.ts";

interface Entry {
  readonly message: ModelMessage;
  /** The prompt it is, if it is one. */
  readonly prompt?: string;
}

/** What a person allowed for good, and how many entries there were then. */
interface Allowed {
  readonly rules: readonly string[];
  readonly entries: number;
}

interface Summary {
  readonly text: string;
  /** How many entries it stands for. */
  readonly covers: number;
  /** How many there were when it was made. */
  readonly madeAt: number;
}

export class Conversation {
  readonly #entries: Entry[] = [];
  #summary: Summary | undefined;
  /** What the model counted last, and how many entries it had then. */
  #counted: { tokens: number; entries: number } | undefined;
  #allowed: Allowed[] = [];
  #turnStart = 0;
  /** How many entries a provider has taken. */
  #accepted = 0;
  /** Requests that were refused since one was taken. */
  #refusals = 0;

  add(message: ModelMessage, prompt?: string): void {
    this.#entries.push({ message, prompt });
  }

  /** What is said from now on belongs to a new turn. */
  beginTurn(): void {
    this.#turnStart = this.#entries.length;
  }

  /** A person allows something for good, which is forgotten with what was said before it. */
  allow(rules: readonly string[]): void {
    this.#allowed.push({ rules, entries: this.#entries.length });
  }

  get rules(): string[] {
    return this.#allowed.flatMap(({ rules }) => rules);
  }

  /** Forgets the prompt and all after it. False when it never was there. */
  forgetFrom(prompt: string): boolean {
    const place = this.#entries.findIndex((entry) => entry.prompt === prompt);
    if (place < 0) return false;
    this.#entries.length = place;
    this.#counted = undefined;
    this.#turnStart = place;
    this.#allowed = this.#allowed.filter(({ entries }) => entries <= place);
    this.#accepted = Math.min(this.#accepted, place);
    if (this.#summary && this.#summary.madeAt > place) this.#summary = undefined;
    return true;
  }

  /** What the model is given. The prompts of the running turn stay as they are, also those a summary stands for. */
  get messages(): ModelMessage[] {
    const running = this.#entries.slice(this.#turnStart, this.#covered).filter(({ prompt }) => prompt);
    return [...this.#summaryMessages, ...running.map(messageOf), ...this.#uncovered.map(messageOf)];
  }

  /** How many tokens it has: as the model counted, with a guess for what came since. */
  get tokens(): number {
    if (!this.#counted) return guessTokens(this.messages);
    const since = this.#entries.slice(this.#counted.entries).map(messageOf);
    return this.#counted.tokens + guessTokens(since);
  }

  /** The model said how many tokens it had with everything up to now. */
  count(tokens: number): void {
    if (tokens > 0) this.#counted = { tokens, entries: this.#entries.length };
  }

  /** A provider has taken all of it. */
  accept(): void {
    this.#accepted = this.#entries.length;
    this.#refusals = 0;
  }

  /** How many entries no provider has taken yet. */
  get newEntries(): number {
    return this.#entries.length - this.#accepted;
  }

  /**
   * A provider refused it: what is new in it is left out, and when it is refused again all files are, so that the next
   * request can be taken. True if no prompt had to go.
   */
  leaveOutRefused(): boolean {
    this.#refusals += 1;
    this.#counted = undefined;
    let isWithoutPrompts = true;
    for (const [place, { message, prompt }] of this.#entries.entries()) {
      const isNew = place >= this.#accepted;
      if (isNew && prompt) isWithoutPrompts = false;
      // Remarks of our own are harmless.
      const isRemark = message.role === "user" && !prompt;
      if (isNew && !isRemark) this.#entries[place] = { message: leaveOutContent(message), prompt };
      else if (this.#refusals > 1) this.#entries[place] = { message: leaveOutFiles(message), prompt };
    }
    return isWithoutPrompts;
  }

  /** What a summary would stand for if that many messages stay as they are; empty when there is nothing to gain. */
  toSummarise(kept: number): ModelMessage[] {
    const older = this.#entries.slice(this.#covered, this.#cut(kept));
    const isWorthIt = older.some(({ prompt }, place) => !prompt || this.#covered + place < this.#turnStart);
    return isWorthIt ? older.map(messageOf) : [];
  }

  /** The summary takes the place of what `toSummarise` gave, and of an earlier summary. */
  summarise(text: string, kept: number): void {
    this.#summary = { text, covers: this.#cut(kept), madeAt: this.#entries.length };
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

function messageOf({ message }: Entry): ModelMessage {
  return message;
}
