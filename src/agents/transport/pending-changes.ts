/** Changes of settings the agent has not answered yet. Each is settled by the answers to its own requests. */
import type { Draft } from "../../core/draft.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { RpcId } from "./json-rpc.ts";

interface PendingChange {
  /** Those of its requests that are unanswered. */
  readonly requests: readonly RpcId[];
  readonly refusal?: string;
  resolve(): void;
  reject(error: unknown): void;
}

export class PendingChanges {
  /** Several when the agent did not answer the first in time. */
  #changes: PendingChange[] = [];

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Resolves when all its requests are answered; rejects when one was refused or could not be written. */
  add(requests: readonly RpcId[], written: Promise<void>): Promise<void> {
    if (requests.length === 0) return written;
    return new Promise((resolve, reject) => {
      this.#changes.push({ requests, resolve, reject });
      written.catch(reject);
    });
  }

  /** The agent has said something; `unanswered` are the requests it has still to answer after that. */
  settle(unanswered: readonly RpcId[], drafts: readonly Draft[]): void {
    const refusal = refusalOf(drafts);
    for (const change of this.#changes.splice(0)) {
      const requests = change.requests.filter((id) => unanswered.includes(id));
      const isAnswered = requests.length < change.requests.length;
      const reason = change.refusal ?? (isAnswered ? refusal : undefined);
      if (requests.length > 0) this.#changes.push({ ...change, requests, refusal: reason });
      else if (reason === undefined) change.resolve();
      else change.reject(new InterlinguaError("unsupported", reason));
    }
  }

  rejectAll(error: unknown): void {
    for (const { reject } of this.#changes.splice(0)) reject(error);
  }
}

function refusalOf(drafts: readonly Draft[]): string | undefined {
  for (const draft of drafts) if (draft.type === "notice" && draft.code === "configure") return draft.text;
  return undefined;
}
