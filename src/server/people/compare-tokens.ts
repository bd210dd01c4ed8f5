/** How a token or a code that a client shows is compared with the right one: in constant time. */
import { hash, timingSafeEqual } from "node:crypto";

/** Compares with a token that is known as text. */
export class TokenCheck {
  readonly #digest: Buffer;

  constructor(token: string) {
    if (token === "") throw new Error("The server needs a token.");
    this.#digest = Buffer.from(hashOf(token));
  }

  accepts(shown: string): boolean {
    // Hashes have equal lengths, so the token's length does not leak.
    return timingSafeEqual(Buffer.from(hashOf(shown)), this.#digest);
  }
}

/** Compares with a stored hash. Takes the same time for every text, and also where nothing is stored. */
export function isCredential(text: string, stored: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashOf(text)), Buffer.from(stored ?? NOTHING));
  return isEqual && stored !== undefined;
}

/** As long as a hash. */
const NOTHING = "-".repeat(64);

/** The form in which tokens and codes are stored. */
export function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}
