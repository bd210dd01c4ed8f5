/** Masks secrets in whole texts. In JSON only strings are changed, so that it stays JSON and its numbers stay numbers. */

import { finish, type Steps } from "../../core/steps.ts";
import { ESCAPE_LAYERS, EscapeLayers } from "./escape-layers.ts";
import { isJsonWithStrings, mapJsonStringsInSteps, unescapeJson } from "./json-text.ts";
import { SecretMatcher } from "./secret-matcher.ts";

/** How much of a text is masked in one step, in characters: a few milliseconds where all of it is escapes. */
const STEP_LENGTH = 8 * 1024;

export interface Secret {
  readonly value: string;
  readonly placeholder: string;
}

export class TextMask {
  readonly #matcher: SecretMatcher;
  readonly #placeholders: readonly string[];

  constructor(secrets: readonly Secret[]) {
    this.#matcher = new SecretMatcher(secrets.map(({ value }) => value));
    this.#placeholders = secrets.map(({ placeholder }) => placeholder);
  }

  /** A text without a secret stays as it is, byte for byte. */
  mask(text: string): string {
    // Nearly every text ends here.
    if (!this.#matcher.isIn(text) && !this.#canHideIn(text)) return text;
    return finish(this.maskInSteps(text));
  }

  /** The same for a long text. */
  *maskInSteps(text: string, depth = 0): Steps<string> {
    if (!(yield* this.#holds(text))) return text;
    if (depth < ESCAPE_LAYERS && isJsonWithStrings(text)) {
      yield;
      return yield* mapJsonStringsInSteps(text, (string) => this.maskInSteps(string, depth + 1));
    }
    const layers = this.stream();
    const masked: string[] = [];
    for (let from = 0; from < text.length; from += STEP_LENGTH) {
      masked.push(layers.push(text.slice(from, from + STEP_LENGTH)));
      yield;
    }
    return masked.join("") + layers.finish();
  }

  /** For text that comes in pieces. */
  stream(): EscapeLayers {
    return new EscapeLayers(this.#matcher, this.#placeholders);
  }

  /** Whether the text contains a secret, plain or escaped. */
  *#holds(text: string): Steps<boolean> {
    let plain = text;
    for (let layer = 0; ; layer += 1) {
      if (yield* this.#matcher.isInLong(plain)) return true;
      if (layer === ESCAPE_LAYERS || !this.#canHideIn(plain)) return false;
      const unescaped = yield* unescapeJson(plain);
      if (unescaped === plain) return false;
      plain = unescaped;
    }
  }

  /** Whether the text has escapes that could be part of a secret. Most lines have none. */
  #canHideIn(text: string): boolean {
    const { hasEscapes, hasSlash } = this.#matcher;
    if (hasEscapes) return text.includes("\\");
    return text.includes("\\u") || (hasSlash && text.includes("\\/"));
  }
}
