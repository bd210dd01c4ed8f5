/**
 * A session over an agent that runs one process for each turn. Between two turns the agent itself remembers the
 * conversation; only the translator's state is kept here.
 */
import type { AgentOutput, BackendSession } from "../../core/adapter.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import { DEFAULT_START_TIMEOUT_MS } from "../../core/start-timeout.ts";
import type { AgentProcess, ProcessHost } from "../../process/process-host.ts";
import type { ChildSessionOptions } from "./child-session.ts";
import { endAgentOnly } from "./end-agent-only.ts";
import { lineText } from "./line-text.ts";
import type { Launch } from "./open-child-session.ts";
import { StderrRecords } from "./stderr-records.ts";
import { translateRecord } from "./translate-record.ts";

/** The tail of stderr that goes into the exit record. */
const MAX_STDERR_BYTES = 16 * 1024;

/** The encoder of an agent that runs one process for each turn. Pure. */
export interface TurnEncoder<State> {
  /** Throws `unsupported` for a prompt the agent cannot be given. */
  assertPossible(prompt: CommandOf<"prompt">): void;
  launch(state: State, prompt: CommandOf<"prompt">): Launch;
  /** What the process is given on its input. */
  input(state: State, prompt: CommandOf<"prompt">): readonly string[];
  /** Records to keep for later turns. Throws `unsupported` for a command the agent does not know. */
  remember(state: State, command: Exclude<Command, CommandOf<"prompt" | "interrupt">>): readonly string[];
  /** The agent has begun to work; until then it may be waiting for something nobody sees. */
  hasBegun(state: State): boolean;
  /** The answer is complete: the process gets the end of its input. */
  isAnswered(state: State): boolean;
  /** The process will not answer any more, so it is ended. */
  isStuck(state: State): boolean;
  /** The process exited without trying; started again, it would behave differently. */
  mustRetry(state: State): boolean;
}

export interface TurnProcessSessionOptions<State>
  extends Pick<ChildSessionOptions<State>, "agent" | "sessionId" | "translator" | "observe"> {
  readonly processHost: ProcessHost;
  /** The first record: what is known of the agent before its first turn. */
  readonly opening: string;
  readonly encoder: TurnEncoder<State>;
  /** How long the process of a turn may take to begin. 120 seconds when absent. */
  readonly startTimeoutMs?: number;
}

export class TurnProcessSession<State> implements BackendSession {
  readonly sessionId: string;
  readonly messages: AsyncIterable<AgentOutput>;
  readonly #options: TurnProcessSessionOptions<State>;
  #state: State;
  #unread: AgentOutput[] = [];
  #wakeReader = () => {};
  #wakeWriter = () => {};
  #process: AgentProcess | undefined;
  /** Resolves when the process of the last turn is gone. */
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;
  #hasEnded = false;

  constructor(options: TurnProcessSessionOptions<State>) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.#state = options.translator.initial;
    this.messages = this.#read();
    this.#record({ direction: "in", data: options.opening });
  }

  send(command: Command): Promise<void> {
    if (this.#isClosed) {
      throw new InterlinguaError("session_closed", "The session is closed; connect again before sending.");
    }
    switch (command.type) {
      case "prompt":
        this.#options.encoder.assertPossible(command);
        return this.#begin(command);
      case "interrupt":
        return this.#interrupt();
      default:
        for (const line of this.#options.encoder.remember(this.#state, command)) {
          this.#record({ direction: "out", data: line });
        }
        return Promise.resolve();
    }
  }

  async close(options: { keepChildren?: boolean } = {}): Promise<void> {
    this.#isClosed = true;
    const process = this.#process;
    if (process) await (options.keepChildren ? endAgentOnly(process) : process.end());
    this.#wakeWriter();
    await this.#turn;
    this.#hasEnded = true;
    this.#wakeReader();
  }

  /** Two processes must not work on one conversation: a turn begins when the process before is gone. */
  async #begin(prompt: CommandOf<"prompt">): Promise<void> {
    await this.#turn;
    const process = await this.#spawn(prompt);
    const lines = this.#options.encoder.input(this.#state, prompt);
    for (const line of lines) this.#record({ direction: "out", data: line });
    this.#turn = this.#run(process, prompt);
    for (const line of lines) await process.write(line);
    if (lines.length === 0) process.closeInput();
  }

  async #spawn(prompt: CommandOf<"prompt">): Promise<AgentProcess> {
    const { encoder, processHost } = this.#options;
    const launch = encoder.launch(this.#state, prompt);
    const stderr = new StderrRecords();
    const process = await processHost.spawn({
      ...launch,
      maxStderrBytes: MAX_STDERR_BYTES,
      onStderrLine: (line) => stderr.push(line),
    });
    this.#process = process;
    const { command, args } = launch;
    this.#record({
      direction: "process",
      data: { event: "spawn", pid: process.pid, command, args: [...args] },
    });
    stderr.listen((record) => this.#record(record));
    return process;
  }

  /** From the start of a process to its exit. Never rejects. */
  async #run(process: AgentProcess, prompt: CommandOf<"prompt">): Promise<void> {
    const { encoder, startTimeoutMs = DEFAULT_START_TIMEOUT_MS } = this.#options;
    const timer = setTimeout(() => {
      if (!encoder.hasBegun(this.#state)) this.#record({ direction: "process", data: { event: "timeout" } });
    }, startTimeoutMs);
    try {
      for await (const batch of process.lineBatches) {
        for (const line of batch) this.#record({ direction: "in", data: lineText(line) });
        if (encoder.isAnswered(this.#state)) process.closeInput();
        await this.#room();
      }
    } catch {
      // A broken pipe: the exit record says why.
    }
    const { code, signal } = await process.exited;
    clearTimeout(timer);
    this.#process = undefined;
    const stderr = process.stderrTail();
    this.#record({ direction: "process", data: { event: "exit", code, signal, stderr } });
    if (encoder.mustRetry(this.#state) && !this.#isClosed) await this.#retry(prompt);
  }

  async #retry(prompt: CommandOf<"prompt">): Promise<void> {
    try {
      const process = await this.#spawn(prompt);
      const running = this.#run(process, prompt);
      for (const line of this.#options.encoder.input(this.#state, prompt)) {
        process.write(line).catch(() => {});
      }
      await running;
    } catch (error) {
      const stderr = (error as Error).message;
      this.#record({ direction: "process", data: { event: "exit", code: null, signal: null, stderr } });
    }
  }

  async #interrupt(): Promise<void> {
    const process = this.#process;
    if (!process) return;
    this.#record({ direction: "process", data: { event: "signal", signal: "SIGINT" } });
    try {
      globalThis.process.kill(process.pid, "SIGINT");
    } catch {
      // It exited in the meantime.
    }
  }

  async *#read(): AsyncGenerator<AgentOutput, void> {
    for (;;) {
      const outputs = this.#unread;
      this.#unread = [];
      this.#wakeWriter();
      yield* outputs;
      if (this.#unread.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  /** Backpressure: a slow reader slows the agent down. */
  async #room(): Promise<void> {
    while (this.#unread.length > 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  #record(raw: RawDraft): void {
    const { translator, encoder, observe } = this.#options;
    const [state, drafts, unread] = translateRecord(translator, this.#state, raw);
    this.#state = state;
    const output = { raw, drafts, unread };
    observe?.(output);
    this.#unread.push(output);
    this.#wakeReader();
    if (encoder.isStuck(state)) this.#process?.end().catch(() => {});
  }
}
