/**
 * A session over one agent process: its lines become records and drafts, commands become lines. It knows no
 * agent's protocol: translator and encoder do.
 */
import type { AgentOutput, BackendSession } from "../../core/adapter.ts";
import { afterOneTurn } from "../../core/after-one-turn.ts";
import type { Command } from "../../core/command.ts";
import type { Draft } from "../../core/draft.ts";
import { InterlinguaError } from "../../core/error.ts";
import { flatten } from "../../core/flatten.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import type { Line } from "../../process/line-splitter.ts";
import type { AgentProcess } from "../../process/process-host.ts";
import { endAgentOnly } from "./end-agent-only.ts";
import { HeldCommands } from "./held-commands.ts";
import { isPassingFailure } from "./is-passing-failure.ts";
import type { RpcId } from "./json-rpc.ts";
import { lineText } from "./line-text.ts";
import { PendingChanges } from "./pending-changes.ts";
import {
  type OpeningFailure,
  type OpeningLimits,
  openStepwise,
  type SteppedSession,
  shutDownStepwise,
} from "./session-steps.ts";
import type { StderrRecords } from "./stderr-records.ts";
import { type FindCommands, StoppedCommands } from "./stopped-commands.ts";
import { translateRecord } from "./translate-record.ts";
import type { Encoder, Translator } from "./translator.ts";

/** How long an agent that closed its output may live on before it is ended. */
const MUTE_GRACE_MS = 2000;
/** How long a graceful shutdown may take. */
const SHUTDOWN_MS = 2000;
/** Making a longer line, in characters, takes a while. */
const LONG_LINE = 1024 * 1024;

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
  /** Finds what the agent runs; absent where its process serves other sessions too. */
  readonly findCommands?: FindCommands;
  /** Sees every output in order, before the consumer of `messages` does. It must not throw. */
  observe?(output: AgentOutput): void;
  /** Called once, when the exit of the process was recorded. It must not throw. */
  onExit?(): void;
  /**
   * Does work the agent asked for that takes time, and sends the answers. Called after each line of the agent. It must
   * not throw.
   */
  serve?(state: State, send: (lines: readonly string[]) => void): void;
}

export class ChildSession<State> implements BackendSession {
  readonly sessionId: string;
  readonly messages: AsyncIterable<AgentOutput>;
  readonly batches: AsyncIterable<readonly AgentOutput[]>;
  readonly #options: ChildSessionOptions<State>;
  readonly #process: AgentProcess;
  readonly #lines: AsyncIterator<readonly Line[]>;
  /** Without the unread line. */
  #knownState: State;
  /** A long line we sent. It is read a moment later, or as soon as somebody needs the state after it. */
  #unreadLine: RawDraft | undefined;
  /** What happened and was not read yet: what we sent, stderr, and at most one batch of the agent's lines. */
  #unread: AgentOutput[] = [];
  /** Called at the next record: the consumer, and whoever opens or closes the session. */
  #waiters: (() => void)[] = [];
  #isReading = false;
  #isClosed = false;
  #closing: Promise<void> | undefined;
  /** The exit was recorded: nothing follows it. */
  #hasEnded = false;
  readonly #held = new HeldCommands();
  readonly #changes = new PendingChanges();
  /** How many turns have ended, and how many of these ends were given to the reader. */
  #turnEnds = 0;
  #readTurnEnds = 0;
  readonly #stoppedCommands: StoppedCommands | undefined;

  constructor(options: ChildSessionOptions<State>) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.#process = options.process;
    this.#lines = options.process.lineBatches[Symbol.asyncIterator]();
    this.#knownState = options.translator.initial;
    this.#stoppedCommands = options.findCommands && new StoppedCommands(options.findCommands);
    this.batches = this.#read();
    this.messages = flatten(this.batches);
    const { command, args } = options;
    this.#record({
      direction: "process",
      data: { event: "spawn", pid: this.#process.pid, command, args: [...args] },
    });
    options.stderr.listen((record) => this.#record(record));
  }

  send(command: Command): Promise<void> {
    this.#assertThere();
    if (command.type === "interrupt") return this.#interrupt(command);
    if (command.type === "prompt" && !command.steer) this.#stoppedCommands?.beginTurn();
    if (command.type === "reply") this.#stoppedCommands?.answer(command);
    return this.#deliver(command);
  }

  /** Stops the turn the reader knows of. If that has ended meanwhile it is dropped, or it would stop the next one. */
  async #interrupt(command: Command): Promise<void> {
    const turn = this.#readTurnEnds;
    if (this.#stoppedCommands?.hasOpenCalls) {
      await this.#stoppedCommands.look();
      this.#assertThere();
    }
    if (turn === this.#turnEnds) await this.#deliver(command);
  }

  #assertThere(): void {
    if (this.#isClosed || this.#hasEnded) throw this.#notThere();
  }

  #deliver(command: Command): Promise<void> {
    return this.#mustWait(command) ? this.#held.add(command) : this.#give(command);
  }

  readonly #mustWait = (command: Command): boolean =>
    this.#options.encoder.holds?.(this.#state, command) ?? false;

  readonly #give = (command: Command): Promise<void> => {
    const lines = this.#options.encoder.encode(this.#state, command);
    return command.type === "configure" ? this.#change(lines) : this.#write(lines);
  };

  #change(lines: readonly string[]): Promise<void> {
    const before = this.#unansweredChanges();
    const written = this.#write(lines);
    const requests = this.#unansweredChanges().filter((id) => !before.includes(id));
    return this.#changes.add(requests, written);
  }

  #unansweredChanges(): readonly RpcId[] {
    return this.#options.encoder.unansweredChanges?.(this.#state) ?? [];
  }

  /** Runs the opening until the agent is ready. Rejects with the reason when it will not be. */
  async open(limits: OpeningLimits): Promise<void> {
    const { encoder } = this.#options;
    const failure = await openStepwise(this.#steps, () => encoder.open(this.#state), limits);
    if (failure) throw this.#startFailure(failure);
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
    const { encoder } = this.#options;
    if (encoder.shutDown)
      await shutDownStepwise(this.#steps, () => encoder.shutDown!(this.#state), SHUTDOWN_MS);
    await (keepChildren ? endAgentOnly(this.#process) : this.#process.end());
    // At most a pipe's content is left. Reading it frees the pipe, whether or not anybody still listens.
    while (!this.#hasEnded) await this.#nextRecord();
  }

  async *#read(): AsyncGenerator<readonly AgentOutput[], void> {
    for (;;) {
      const outputs = this.#unread;
      if (outputs.length > 0) {
        this.#unread = [];
        this.#readTurnEnds = this.#turnEnds;
        yield outputs;
      } else if (this.#hasEnded) return;
      else await this.#nextRecord();
    }
  }

  /** Resolves at the next record. Lines of the agent are read only here, so a slow reader slows it down. */
  #nextRecord(): Promise<void> {
    this.#readLines();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #readLines(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const end = () => void this.#recordExit();
    this.#lines.next().then((result) => {
      if (result.done) return end();
      this.#isReading = false;
      for (const line of result.value) this.#record({ direction: "in", data: lineText(line) });
    }, end);
  }

  async #recordExit(): Promise<void> {
    const timer = setTimeout(() => void this.#process.end().catch(() => {}), MUTE_GRACE_MS);
    const { code, signal, isLost } = await this.#process.exited;
    clearTimeout(timer);
    this.#options.stderr.end();
    this.#hasEnded = true;
    const stderr = this.#process.stderrTail();
    const exit = { event: "exit" as const, code, signal, stderr };
    this.#record({ direction: "process", data: isLost ? { ...exit, isLost } : exit });
    this.#held.rejectAll(this.#notThere());
    this.#changes.rejectAll(this.#notThere());
    this.#options.onExit?.();
  }

  get #state(): State {
    this.#readSentLine();
    return this.#knownState;
  }

  #readSentLine(): void {
    const line = this.#unreadLine;
    this.#unreadLine = undefined;
    if (line) this.#record(line);
  }

  async #write(lines: readonly string[]): Promise<void> {
    const written = lines.map((line) => {
      this.#recordSent({ direction: "out", data: line });
      return this.#process.write(line);
    });
    await Promise.all(written);
  }

  #recordSent(raw: RawDraft & { data: string }): void {
    if (raw.data.length <= LONG_LINE) return this.#record(raw);
    this.#readSentLine();
    this.#unreadLine = raw;
    afterOneTurn(() => this.#readSentLine());
  }

  #record(raw: RawDraft): void {
    const [state, drafts, unread] = translateRecord(this.#options.translator, this.#state, raw);
    this.#knownState = state;
    const output: AgentOutput = { raw, drafts, unread };
    this.#stoppedCommands?.observe(drafts);
    for (const draft of drafts) if (endsPromptedTurn(draft)) this.#turnEnds += 1;
    this.#options.observe?.(output);
    this.#unread.push(output);
    this.#wake();
    if (raw.direction !== "in") return;
    if (!this.#changes.isEmpty) this.#changes.settle(this.#unansweredChanges(), drafts);
    this.#speakUp();
  }

  /** A write fails only when the agent is gone, and its exit shows that. */
  readonly #tell = (lines: readonly string[]): void => {
    this.#write(lines).catch(() => {});
  };

  /** The session as its opening and its shutdown see it. */
  readonly #steps: SteppedSession = {
    hasEnded: () => this.#hasEnded,
    nextRecord: () => this.#nextRecord(),
    wake: () => this.#wake(),
    tell: this.#tell,
  };

  /** Sends what is due after a line of the agent: answers without a command, and commands that had to wait. */
  #speakUp(): void {
    const { encoder } = this.#options;
    const due = encoder.answer?.(this.#state);
    if (due !== undefined && due.length > 0) this.#tell(due);
    this.#options.serve?.(this.#state, this.#tell);
    if (!this.#held.isEmpty) this.#held.release(this.#mustWait, this.#give);
  }

  #wake(): void {
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resume of waiters) resume();
  }

  #notThere(): InterlinguaError {
    const what = this.#isClosed ? "The session is closed" : `The agent "${this.#options.agent}" has exited`;
    return new InterlinguaError("session_closed", `${what}; connect again before sending.`);
  }

  #startFailure({ reason, code = "agent_failed", keepsConversation }: OpeningFailure): InterlinguaError {
    const lastWords = this.#process.stderrTail().trim();
    // What else a living agent has written need not be the reason.
    const said = this.#hasEnded ? `${reason}. ${lastWords}` : reason;
    const extras = keepsConversation || isPassingFailure(said) ? { keepsConversation: true } : {};
    const detail = `The agent "${this.#options.agent}" could not be used: ${reason.replace(/\.$/, "")}.`;
    return new InterlinguaError(code, lastWords ? `${detail} It wrote: ${lastWords}` : detail, extras);
  }
}

function endsPromptedTurn(draft: Draft): boolean {
  return draft.type === "turn.ended" && draft.origin === undefined;
}
