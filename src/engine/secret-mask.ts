/**
 * Replaces secret values by a marked placeholder before anything is stored. A value may arrive cut in pieces by
 * streaming, so text that could be the beginning of a secret is held back until the next piece tells.
 */
import type { Draft } from "../core/draft.ts";

/** Shorter values are words, not secrets: masking "1" or "true" would garble everything else. */
const SHORTEST_SECRET = 6;

interface Secret {
  value: string;
  /** As it stands inside a JSON string. */
  escaped: string;
  placeholder: string;
}

export class SecretMask {
  readonly #secrets: Secret[];
  /** What is held back, by native id of the part or call. */
  readonly #held = new Map<string, string>();

  constructor(values: Record<string, string>) {
    this.#secrets = Object.entries(values)
      .filter(([, value]) => value.length >= SHORTEST_SECRET)
      // The longest first: one secret may contain another.
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, value]) => ({
        value,
        escaped: JSON.stringify(value).slice(1, -1),
        placeholder: `[secret ${name}]`,
      }));
  }

  get isEmpty(): boolean {
    return this.#secrets.length === 0;
  }

  /** Masks plain or JSON text. */
  text(text: string): string {
    let masked = text;
    for (const { value, escaped, placeholder } of this.#secrets) {
      masked = masked.replaceAll(value, placeholder);
      if (escaped !== value) masked = masked.replaceAll(escaped, placeholder);
    }
    return masked;
  }

  /** Masks every string inside a value. */
  value<Some>(value: Some): Some {
    if (this.isEmpty) return value;
    if (typeof value === "string") return this.text(value) as Some;
    if (Array.isArray(value)) return value.map((item) => this.value(item)) as Some;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]),
    ) as Some;
  }

  /** Masks a draft. Deltas may be held back; the ends of their parts let out what was held. */
  *draft(draft: Draft): Iterable<Draft> {
    if (this.isEmpty) return yield draft;
    switch (draft.type) {
      case "text.delta":
      case "reasoning.delta":
        return yield { ...draft, delta: this.#delta(partKey(draft), draft.delta) };
      case "tool.input.delta":
      case "tool.output.delta":
        return yield { ...draft, delta: this.#delta(callKey(draft), draft.delta) };
      case "text.end":
      case "reasoning.end":
        yield* this.#release(
          { ...draft, type: draft.type === "text.end" ? "text.delta" : "reasoning.delta", delta: "" },
          partKey(draft),
        );
        return yield draft;
      case "tool.input":
        yield* this.#release(
          { type: "tool.input.delta", call: draft.call, parent: draft.parent, task: draft.task, delta: "" },
          `tool.input.delta ${draft.call}`,
        );
        return yield this.value(draft);
      case "turn.ended":
        this.#held.clear();
        return yield this.value(draft);
      default:
        return yield this.value(draft);
    }
  }

  #delta(key: string, delta: string): string {
    const text = this.text((this.#held.get(key) ?? "") + delta);
    const held = this.#possibleStart(text);
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, text.slice(-held));
    return held === 0 ? text : text.slice(0, -held);
  }

  /** How many characters at the end of the text could be the beginning of a secret. */
  #possibleStart(text: string): number {
    let longest = 0;
    for (const { value, escaped } of this.#secrets) {
      for (const secret of [value, escaped]) {
        for (let length = Math.min(secret.length - 1, text.length); length > longest; length -= 1) {
          if (text.endsWith(secret.slice(0, length))) longest = length;
        }
      }
    }
    return longest;
  }

  *#release(draft: DeltaDraft, key: string): Iterable<Draft> {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    yield { ...draft, delta: held };
  }
}

type DeltaDraft = Extract<Draft, { delta: string }>;

function partKey(draft: { type: string; part?: string }): string {
  return draft.part ?? draft.type.slice(0, draft.type.indexOf("."));
}

function callKey(draft: { type: string; call: string }): string {
  return `${draft.type} ${draft.call}`;
}
