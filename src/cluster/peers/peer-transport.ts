/** How nodes speak with each other: one question and its answer, or bytes both ways. HTTP is one implementation. */
import type { Duplex } from "node:stream";
import type { NodeAddress } from "../../core/ownership.ts";

export interface CallOptions {
  /** How long to wait for the answer. 30 seconds when absent. */
  timeoutMs?: number;
  /** Stops waiting. */
  signal?: AbortSignal;
}

export interface PeerTransport {
  /**
   * Asks a node and resolves with its answer, both as JSON; an answer of `undefined` stays that. Not idempotent by itself, and
   * never sent twice. Rejects with the InterlinguaError that the other side threw, or with a PeerUnreachableError where it
   * did not answer.
   *
   * @param node From the table of nodes; one without `url`, or whose `proof` is not right, is not called.
   * @param path As in `/commands`.
   */
  call(node: NodeAddress, path: string, body: unknown, options?: CallOptions): Promise<unknown>;
  /**
   * Resolves when the other side has taken it. Both directions are ordered; either side ends its own. One that breaks is
   * destroyed with an error on both sides. The caller closes it. Rejects as `call` does.
   */
  open(node: NodeAddress, path: string): Promise<Duplex>;
}

/** The other side. A later handler for a path replaces the one before. */
export interface PeerRoutes {
  /** What the handler throws is thrown at the caller. `from` is the number of the calling node. */
  onCall(path: string, handler: (body: unknown, from: number) => Promise<unknown>): void;
  /** The handler listens for `error`, and closes the stream. */
  onOpen(path: string, handler: (duplex: Duplex, from: number) => void): void;
}

/** A node did not answer: it is gone, cut off, too slow, or is not the one that was meant. */
export class PeerUnreachableError extends Error {
  /** Whether it may have got the question all the same. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, { mayHaveArrived, cause }: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause });
    this.name = "PeerUnreachableError";
    this.mayHaveArrived = mayHaveArrived;
  }
}
