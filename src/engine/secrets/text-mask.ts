/** Masks secrets in whole texts. In JSON only strings are changed, so that it stays JSON and its numbers stay numbers. */
import { ESCAPE_LAYERS, EscapeLayers } from "./escape-layers.ts";
import { isJsonWithStrings, mapJsonStrings, unescapeJson } from "./json-text.ts";
import { SecretMatcher } from "./secret-matcher.ts";

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
  mask(text: string, depth = 0): string {
    if (!this.#mayHold(text)) return text;
    if (depth < ESCAPE_LAYERS && isJsonWithStrings(text))
      return mapJsonStrings(text, (string) => this.mask(string, depth + 1));
    const layers = this.stream();
    return layers.push(text) + layers.finish();
  }

  /** For text that comes in pieces. */
  stream(): EscapeLayers {
    return new EscapeLayers(this.#matcher, this.#placeholders);
  }

  /** Whether the text contains a secret, plain or escaped. */
  #mayHold(text: string): boolean {
    let plain = text;
    for (let layer = 0; ; layer += 1) {
      if (this.#matcher.isIn(plain)) return true;
      if (layer === ESCAPE_LAYERS || !this.#canHideIn(plain)) return false;
      const unescaped = unescapeJson(plain);
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
