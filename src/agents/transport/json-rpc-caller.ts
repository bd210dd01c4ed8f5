/** Calls an agent outside any session: for the handshake and for short questions. */
import { InterlinguaError } from "../../core/error.ts";
import type { AgentProcess } from "../../process/process-host.ts";
import {
  afterHeard,
  afterSent,
  EMPTY_LEDGER,
  type RpcLedger,
  type RpcParams,
  readMessage,
} from "./json-rpc.ts";
import { notificationLine, refusals, requestLines } from "./json-rpc-lines.ts";
import { lineText, parseLine } from "./line-text.ts";

/** For a call without a signal. */
const TIMEOUT_MS = 20_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class RpcCaller {
  readonly #process: AgentProcess;
  readonly #scope: string;
  readonly #waiting = new Map<string | number, Waiting>();
  #ledger: RpcLedger = EMPTY_LEDGER;
  #isOver = false;

  constructor(process: AgentProcess, scope: string) {
    this.#process = process;
    this.#scope = scope;
    void this.#read();
  }

  /**
   * Rejects with the agent's error, when the agent is gone, and when the signal is aborted. Without a signal the limit is
   * 20 seconds.
   */
  async call(
    method: string,
    params: RpcParams = {},
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#isOver) throw this.#gone();
    const [line = ""] = requestLines(this.#ledger, [{ method, params }], this.#scope);
    const message = readMessage(JSON.parse(line));
    this.#ledger = afterSent(this.#ledger, message);
    if (message.kind !== "request") throw new TypeError("a request was expected");
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(message.id, { resolve, reject });
    const late = () => reject(new InterlinguaError("agent_failed", `It did not answer ${method} in time.`));
    const timer = signal ? undefined : setTimeout(late, TIMEOUT_MS);
    const abort = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      // An agent that reads nothing blocks the write.
      return await Promise.race([promise, this.#process.write(line).then(() => promise)]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#waiting.delete(message.id);
    }
  }

  async notify(method: string): Promise<void> {
    await this.#process.write(notificationLine(method));
  }

  async #read(): Promise<void> {
    for await (const line of this.#process.lines) {
      const parsed = parseLine(lineText(line));
      if (parsed.kind === "message") this.#hear(parsed.message);
    }
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(this.#gone());
  }

  #hear(line: Readonly<Record<string, unknown>>): void {
    const message = readMessage(line);
    this.#ledger = afterHeard(this.#ledger, message);
    if (message.kind === "result") this.#waiting.get(message.id)?.resolve(message.result);
    if (message.kind === "error") {
      this.#waiting.get(message.id)?.reject(new InterlinguaError("agent_failed", message.error.message));
    }
    for (const refusal of refusals(this.#ledger, () => false)) {
      this.#ledger = afterSent(this.#ledger, readMessage(JSON.parse(refusal)));
      this.#process.write(refusal).catch(() => {});
    }
  }

  #gone(): InterlinguaError {
    const lastWords = this.#process.stderrTail().trim();
    const detail = "The agent's process ended before it answered.";
    return new InterlinguaError("agent_failed", lastWords ? `${detail} It wrote: ${lastWords}` : detail);
  }
}
