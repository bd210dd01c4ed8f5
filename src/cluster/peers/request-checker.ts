/** Whether a request comes from a node with our secret and our database, is meant for this node, and is new. */
import { isSameSignature, type SignedRequest, signRequest } from "./request-signature.ts";
import { SeenNonces } from "./seen-nonces.ts";

/** How much the clocks of two nodes may differ. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

export interface RequestCheckerOptions {
  key: Buffer;
  /** The number of this node. */
  node(): number;
  /** The id of its database. */
  database(): string;
  /** By the clock on the wall. */
  now(): number;
  maxNonces?: number;
}

/** Why a request is refused, for our own log. */
export type Refusal =
  | "no signature"
  | "wrong signature"
  | "another database"
  | "for another node"
  | "clocks differ"
  | "repeated"
  | "not from a living node";

export class RequestChecker {
  readonly #options: RequestCheckerOptions;
  readonly #seen: SeenNonces;

  constructor(options: RequestCheckerOptions) {
    this.#options = options;
    this.#seen = new SeenNonces({ windowMs: MAX_CLOCK_DIFFERENCE_MS, maxNonces: options.maxNonces });
  }

  /** Undefined when it holds; it does so once. */
  check(given: { request: SignedRequest; signature: string } | undefined): Refusal | undefined {
    if (!given) return "no signature";
    const { request, signature } = given;
    const { key, node, database, now } = this.#options;
    // First: whoever does not have the secret learns nothing, and leaves no trace in our memory.
    if (!isSameSignature(signature, signRequest(key, request))) return "wrong signature";
    if (request.database !== database()) return "another database";
    if (request.to !== node()) return "for another node";
    if (Math.abs(now() - request.at) > MAX_CLOCK_DIFFERENCE_MS) return "clocks differ";
    return this.#seen.note(request, now()) ? undefined : "repeated";
  }
}
