/**
 * Replaces secret values by a marked placeholder before anything is stored, and puts them back where the agent needs
 * them. A value may arrive cut in pieces by streaming, so text that could be the beginning of a secret is held back
 * until the next piece tells.
 */
import type { Draft } from "../core/draft.ts";
import type { RawDraft } from "../core/raw-record.ts";

/** Shorter values are words, not secrets: masking "1" or "true" would garble everything else. */
const SHORTEST_SECRET = 6;

/** Fields that are part of the language, not of what an agent says; masking them would break the log. */
const LANGUAGE_FIELDS = new Set([
  ...["type", "id", "part", "parts", "call", "calls", "ask", "task", "parent", "native", "agentSessionId"],
  ...["kind", "level", "code", "outcome", "state", "status", "effect", "purpose", "priority", "cause"],
]);

/** Fields that hold whatever an agent likes, keys included. */
const FREE_FIELDS = new Set(["input", "output", "progress", "metadata", "detail", "data"]);

interface Secret {
  /** As it is, inside a JSON string, and inside a JSON string within a JSON string. */
  forms: string[];
  value: string;
  placeholder: string;
}

type DeltaDraft = Extract<Draft, { delta: string }>;

export class SecretMask {
  #secrets: Secret[] = [];
  /** What each placeholder stands for now; an earlier value of the same name is only masked. */
  readonly #values = new Map<string, string>();
  /** Deltas without their text that are held back, with the text, by what they belong to. */
  readonly #held = new Map<string, DeltaDraft>();
  /** Answers in secret that are too short to be looked for everywhere, until the line that takes them to the agent. */
  #shortAnswers: (readonly [name: string, value: string])[] = [];

  constructor(values: Iterable<readonly [name: string, value: string]>) {
    this.add(values);
  }

  /** Masks these too from now on. */
  add(values: Iterable<readonly [name: string, value: string]>): void {
    const secrets = [...values]
      .filter(([, value]) => value.length >= SHORTEST_SECRET)
      .map(([name, value]) => ({ value, forms: formsOf(value), placeholder: placeholderOf(name) }));
    for (const { placeholder, value } of secrets) this.#values.set(placeholder, value);
    // The longest first: one secret may contain another.
    this.#secrets = [...this.#secrets, ...secrets].sort((a, b) => b.value.length - a.value.length);
  }

  /** Masks answers given in secret. A short one only in the line that takes it to the agent. */
  addAnswers(answers: readonly (readonly [name: string, value: string])[]): void {
    this.add(answers);
    const short = answers.filter(([, value]) => value !== "" && value.length < SHORTEST_SECRET);
    this.#shortAnswers = [...this.#shortAnswers, ...short];
  }

  get isEmpty(): boolean {
    return this.#secrets.length === 0;
  }

  /** Masks plain or JSON text. */
  text(text: string): string {
    let masked = text;
    for (const { forms, placeholder } of this.#secrets) {
      for (const form of forms) masked = masked.replaceAll(form, placeholder);
    }
    return masked;
  }

  /** Masks every string inside a value, keys included. */
  value<Some>(value: Some): Some {
    return this.isEmpty ? value : mapStrings(value, (text) => this.text(text));
  }

  /** Masks what was said or what happened. */
  record(raw: RawDraft): RawDraft {
    const isAnswer = raw.direction === "out" && this.#shortAnswers.length > 0;
    if (this.isEmpty && !isAnswer) return raw;
    const data = this.value(raw.data);
    return { ...raw, data: isAnswer ? this.#withoutShortAnswers(data as string) : data } as RawDraft;
  }

  /** As strings of their own in the JSON of the line. */
  #withoutShortAnswers(line: string): string {
    let masked = line;
    this.#shortAnswers = this.#shortAnswers.filter(([name, value]) => {
      const before = masked;
      masked = masked.replaceAll(JSON.stringify(value), JSON.stringify(placeholderOf(name)));
      return masked === before;
    });
    return masked;
  }

  /** Puts the values back in place of their placeholders. */
  reveal<Some>(value: Some): Some {
    if (this.isEmpty) return value;
    return mapStrings(value, (text) => {
      let plain = text;
      for (const [placeholder, secret] of this.#values) plain = plain.replaceAll(placeholder, secret);
      return plain;
    });
  }

  /** Masks what an agent says and leaves the words of the language as they are. Deltas may be held back. */
  draft(draft: Draft): Iterable<Draft> {
    return this.isEmpty ? [draft] : this.#masked(draft);
  }

  /** The same when there is something to mask. */
  *#masked(draft: Draft): Iterable<Draft> {
    if ("delta" in draft && typeof draft.delta === "string") {
      const delta = this.#delta(draft as DeltaDraft);
      if (delta !== "") yield { ...draft, delta } as Draft;
      return;
    }
    yield* this.#releaseBefore(draft);
    yield this.#structure(draft);
  }

  /** Lets out all that is held: the agent is gone, nothing follows. */
  *release(): Iterable<Draft> {
    yield* this.#held.values();
    this.#held.clear();
  }

  #structure<Some extends object>(value: Some): Some {
    const masked = Object.entries(value).map(([key, item]) => {
      if (LANGUAGE_FIELDS.has(key)) return [key, item];
      if (FREE_FIELDS.has(key)) return [key, this.value(item)];
      return [key, this.#item(item)];
    });
    return Object.fromEntries(masked) as Some;
  }

  #item(item: unknown): unknown {
    if (typeof item === "string") return this.text(item);
    if (Array.isArray(item)) return item.map((one) => this.#item(one));
    return typeof item === "object" && item !== null ? this.#structure(item) : item;
  }

  #delta(draft: DeltaDraft): string {
    const key = keyOf(draft);
    const text = this.text((this.#held.get(key)?.delta ?? "") + draft.delta);
    const held = this.#possibleStart(text);
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, { ...draft, delta: text.slice(-held) });
    return held === 0 ? text : text.slice(0, -held);
  }

  /** How many characters at the end of the text could be the beginning of a secret. */
  #possibleStart(text: string): number {
    let longest = 0;
    for (const { forms } of this.#secrets) {
      for (const form of forms) {
        for (let length = Math.min(form.length - 1, text.length); length > longest; length -= 1) {
          if (text.endsWith(form.slice(0, length))) longest = length;
        }
      }
    }
    return longest;
  }

  /** What ends or replaces a piece of content lets out what was held of it first. */
  *#releaseBefore(draft: Draft): Iterable<Draft> {
    for (const [key, held] of [...this.#held]) {
      if (!concerns(draft, held)) continue;
      this.#held.delete(key);
      yield held;
    }
  }
}

function placeholderOf(name: string): string {
  return `[secret ${name}]`;
}

function formsOf(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [...new Set([twice, once, value])];
}

/** Whether nothing more may come of what is held once this draft is there. */
function concerns(draft: Draft, held: DeltaDraft): boolean {
  if (/^(turn|step|prompt)\.|^content\.discarded$/.test(draft.type)) return true;
  if ("part" in held || held.type.startsWith("text") || held.type.startsWith("reasoning")) {
    const kind = held.type.slice(0, held.type.indexOf("."));
    const isBoundary = draft.type === `${kind}.end` || draft.type === `${kind}.start`;
    return isBoundary && keyOf({ ...draft, type: `${kind}.delta` } as DeltaDraft) === keyOf(held);
  }
  return "call" in draft && "call" in held && draft.call === held.call;
}

function keyOf(draft: DeltaDraft): string {
  const { type, part, call, parent, task } = draft as {
    type: string;
    part?: string;
    call?: string;
    parent?: string;
    task?: string;
  };
  return JSON.stringify([type, part, call, parent, task]);
}

function mapStrings<Some>(value: Some, change: (text: string) => string): Some {
  if (typeof value === "string") return change(value) as Some;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change)) as Some;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
  ) as Some;
}
