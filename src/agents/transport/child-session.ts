/**
 * A session over one agent process: its lines become records and drafts, commands become lines. It knows no
 * agent's language; that is the translator's and the encoder's.
 */
import type { AgentOutput, BackendSession } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import type { Line } from "../../process/line-splitter.ts";
import type { AgentProcess } from "../../process/process-host.ts";
import { endAgentOnly } from "./end-agent-only.ts";
import { lineText, unreadable } from "./line-text.ts";
import type { StderrRecords } from "./stderr-records.ts";
import type { Encoder, Translator } from "./translator.ts";

/** How long an agent that closed its output may live on before it is ended. */
const MUTE_GRACE_MS = 2000;

export interface ChildSessionOptions<State> {
  /** The agent's name, for errors. */
  readonly agent: string;
  readonly sessionId: string;
  readonly process: AgentProcess;
  readonly stderr: StderrRecords;
  readonly translator: Translator<State>;
  readonly encoder: Encoder<State>;
  /** How the process was started, for the first record. */
  readonly command: string;
  readonly args: readonly string[];
  /** Sees every output in order, before the consumer of `messages` does. It must not throw. */
  observe?(output: AgentOutput): void;
}

export class ChildSession<State> implements BackendSession {
  readonly sessionId: string;
  readonly messages: AsyncIterable<AgentOutput>;
  readonly #options: ChildSessionOptions<State>;
  readonly #process: AgentProcess;
  readonly #lines: AsyncIterator<Line>;
  #state: State;
  /** What happened and was not read yet: what we sent, stderr, and at most one line of the agent. */
  readonly #unread: AgentOutput[] = [];
  /** Called at the next record: the consumer, and whoever opens or closes the session. */
  #waiters: (() => void)[] = [];
  #isReadingLine = false;
  #isClosed = false;
  #closing: Promise<void> | undefined;
  /** The exit was recorded: nothing follows it. */
  #hasEnded = false;

  constructor(options: ChildSessionOptions<State>) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.#process = options.process;
    this.#lines = options.process.lines[Symbol.asyncIterator]();
    this.#state = options.translator.initial;
    this.messages = this.#read();
    const { command, args } = options;
    this.#record({
      direction: "process",
      data: { event: "spawn", pid: this.#process.pid, command, args: [...args] },
    });
    options.stderr.listen((record) => this.#record(record));
  }

  send(command: Command): Promise<void> {
    if (this.#isClosed || this.#hasEnded) {
      const what = this.#isClosed ? "The session is closed" : `The agent "${this.#options.agent}" has exited`;
      throw new InterlinguaError("session_closed", `${what}; connect again before sending.`);
    }
    return this.#write(this.#options.encoder.encode(this.#state, command));
  }

  /** Speaks with the agent until it is ready to work. Rejects with the reason when it will not be. */
  async open(timeoutMs: number): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, timeoutMs);
    try {
      for (;;) {
        const opening = this.#options.encoder.open(this.#state);
        if (opening.step === "ready") return;
        if (opening.step === "failed") throw this.#startFailure(opening.reason);
        if (this.#hasEnded) throw this.#startFailure("it exited before it was ready");
        if (isLate) throw this.#startFailure(`it was not ready within ${timeoutMs} ms`);
        if (opening.step === "wait") await this.#nextRecord();
        // An agent that takes no input is as good as gone; its exit or the time limit will say so.
        else this.#write(opening.lines).catch(() => {});
      }
    } finally {
      clearTimeout(timer);
    }
  }

  close(options: { keepChildren?: boolean } = {}): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#end(options.keepChildren ?? false).catch((error) => {
      this.#closing = undefined;
      throw error;
    });
    return this.#closing;
  }

  async #end(keepChildren: boolean): Promise<void> {
    await (keepChildren ? endAgentOnly(this.#process) : this.#process.end());
    // No more than a pipe holds is left. Reading it here frees the pipe, whether or not somebody still listens.
    while (!this.#hasEnded) await this.#nextRecord();
  }

  async *#read(): AsyncGenerator<AgentOutput, void> {
    for (;;) {
      const output = this.#unread.shift();
      if (output) yield output;
      else if (this.#hasEnded) return;
      else await this.#nextRecord();
    }
  }

  /** Resolves at the next record. Only here is a line taken from the agent: so a slow reader slows it down. */
  #nextRecord(): Promise<void> {
    this.#readLine();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #readLine(): void {
    if (this.#isReadingLine) return;
    this.#isReadingLine = true;
    const end = () => void this.#recordExit();
    this.#lines.next().then((result) => {
      if (result.done) return end();
      this.#isReadingLine = false;
      this.#record({ direction: "in", data: lineText(result.value) });
    }, end);
  }

  async #recordExit(): Promise<void> {
    const timer = setTimeout(() => void this.#process.end().catch(() => {}), MUTE_GRACE_MS);
    const { code, signal } = await this.#process.exited;
    clearTimeout(timer);
    this.#options.stderr.end();
    this.#hasEnded = true;
    const stderr = this.#process.stderrTail();
    this.#record({ direction: "process", data: { event: "exit", code, signal, stderr } });
  }

  async #write(lines: readonly string[]): Promise<void> {
    const written = lines.map((line) => {
      this.#record({ direction: "out", data: line });
      return this.#process.write(line);
    });
    await Promise.all(written);
  }

  #record(raw: RawDraft): void {
    const output = { raw, ...this.#translate(raw) };
    this.#options.observe?.(output);
    this.#unread.push(output);
    this.#wake();
  }

  #wake(): void {
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resume of waiters) resume();
  }

  /** A fault in a translator costs the meaning of one record, never the session. */
  #translate(raw: RawDraft): Pick<AgentOutput, "drafts" | "unread"> {
    try {
      const [state, drafts, unread] = this.#options.translator.translate(this.#state, raw);
      this.#state = state;
      return unread === undefined ? { drafts } : { drafts, unread };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { drafts: [unreadable("translation-failed", reason)] };
    }
  }

  #startFailure(reason: string): InterlinguaError {
    const lastWords = this.#process.stderrTail().trim();
    const detail = `The agent "${this.#options.agent}" could not be used: ${reason.replace(/\.$/, "")}.`;
    return new InterlinguaError("agent_failed", lastWords ? `${detail} It wrote: ${lastWords}` : detail);
  }
}
