/** How often one address may call, and how often it may be wrong. */
import type { IncomingMessage } from "node:http";
import { InterlinguaError } from "../../core/error.ts";
import type { ServerLimits } from "../limits.ts";
import { RefillingBucket } from "./refilling-bucket.ts";

export interface RequestRateDependencies {
  limits: Pick<ServerLimits, "requestsPerSecond" | "requestBurst" | "failuresPerSecond" | "failureBurst">;
  onRefused: (code: "too_many_requests") => void;
}

/** Each method throws `too_many_requests`, with the seconds to wait, and `detail` where it takes one. */
export class RequestRates {
  readonly #requests: RefillingBucket;
  readonly #failures: RefillingBucket;
  readonly #onRefused: RequestRateDependencies["onRefused"];

  constructor({ limits, onRefused }: RequestRateDependencies) {
    this.#requests = new RefillingBucket(limits.requestsPerSecond, limits.requestBurst);
    this.#failures = new RefillingBucket(limits.failuresPerSecond, limits.failureBurst);
    this.#onRefused = onRefused;
  }

  countRequest(incoming: IncomingMessage): void {
    const detail = "Too many requests in a short time. Wait, then go on more slowly.";
    this.#wait(this.#requests.take(addressOf(incoming)), detail);
  }

  /** Before a secret is checked. */
  checkFailures(incoming: IncomingMessage, detail: string): void {
    const address = addressOf(incoming);
    // Remote addresses are locked out after too many wrong secrets. On this machine all programs share one address, and
    // one that guesses must not lock out the others.
    if (!isLoopback(address)) this.#wait(this.#failures.wait(address), detail);
  }

  countFailure(incoming: IncomingMessage, detail: string): void {
    this.#wait(this.#failures.take(addressOf(incoming)), detail);
  }

  #wait(seconds: number, detail: string): void {
    if (seconds === 0) return;
    this.#onRefused("too_many_requests");
    throw new InterlinguaError("too_many_requests", detail, { retryAfterSeconds: seconds });
  }
}

/** All programs behind one address share its rates. */
export function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? "";
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
