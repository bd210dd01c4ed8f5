/** A running app-server on which sessions open channels. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentProcess } from "../../process/process-host.ts";
import type { RpcCaller } from "../transport/json-rpc-caller.ts";
import type { SharedLines } from "../transport/shared-lines.ts";
import type { Sharable } from "../transport/shared-pool.ts";
import type { SharedStderr } from "../transport/shared-stderr.ts";

/** How long an answer that needs no work may take. */
const ANSWER_MS = 5000;

export class CodexServer implements Sharable {
  readonly version: string | undefined;
  /** Whether a prompt would be answered. */
  readonly isSignedIn: boolean;
  readonly #lines: SharedLines<unknown>;
  readonly #stderr: SharedStderr;
  readonly #caller: RpcCaller;
  #channels = 0;

  constructor(
    lines: SharedLines<unknown>,
    stderr: SharedStderr,
    caller: RpcCaller,
    facts: { version?: string; isSignedIn: boolean },
  ) {
    this.#lines = lines;
    this.#stderr = stderr;
    this.#caller = caller;
    this.version = facts.version;
    this.isSignedIn = facts.isSignedIn;
  }

  get isOver(): boolean {
    return this.#lines.isOver;
  }

  end(): Promise<void> {
    return this.#lines.end();
  }

  /** A name for a session's requests, new at each call. */
  newChannel(): string {
    this.#channels += 1;
    return `s${this.#channels}`;
  }

  open(channel: string, onStderrLine?: (line: string) => void): AgentProcess {
    const process = this.#lines.open(channel);
    if (onStderrLine) this.#stderr.follow(onStderrLine, process.exited);
    return process;
  }

  /** Whether it still answers: a process can hang without being gone. */
  async isAlive(): Promise<boolean> {
    const answered = this.call("thread/loaded/list").then(
      () => true,
      () => false,
    );
    const waiting = new AbortController();
    const late = sleep(ANSWER_MS, false, { signal: waiting.signal }).catch(() => false);
    const isAlive = await Promise.race([answered, late]);
    waiting.abort();
    return isAlive && !this.isOver;
  }

  /** Sends a request that belongs to no session. */
  call(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: { signal?: AbortSignal },
  ): Promise<unknown> {
    return this.#caller.call(method, params, options);
  }
}
