/** The prompts of one session: accepted, changed or withdrawn while they wait, and sent to the agent one by one. */
import { setTimeout as sleep } from "node:timers/promises";
import { DAEMON_NAME } from "../../core/built-in-names.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { TurnError } from "../../core/event.ts";
import type { Principal } from "../../core/principal.ts";
import { type PromptPart, promptSize } from "../../core/prompt-part.ts";
import { type Access, hasRight } from "../../core/rights.ts";
import { firstFree, nextPrompt, type QueuedPrompt } from "../../core/session-state.ts";
import type { PromptPreparation } from "../../core/store.ts";
import type { PromptReceipt, QueueChecks, SendPrompt } from "../../protocol/commands/command-types.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import { assertSettingsOffered } from "../agent/agent-setting-values.ts";
import type { SettingsChanges } from "../agent/settings-changes.ts";
import { assertMayGive, assertMayPrompt, commandIn } from "../asks/asking-checks.ts";
import type { Services } from "../engine-services.ts";
import type { SessionCheckpoints } from "../files/session-checkpoints.ts";
import {
  assertAcceptable,
  assertEnvironment,
  assertNothingMissing,
  assertOpen,
  assertQueueLength,
  assertQueueSpace,
  requireQueued,
} from "../session/session-assertions.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { TurnWatch } from "../session/turn-watch.ts";
import { notContinued } from "./continue-turn.ts";
import { dispatchPrompt } from "./dispatch-prompt.ts";
import { PromptRetry } from "./prompt-preparation.ts";
import { assertCanPass, canPass } from "./queue-checks.ts";
import { TypedPlaceholders } from "./typed-placeholders.ts";

/** The pause before what could not be read from the store is read again. */
const RETRY_MS = 500;

export interface PromptQueueOptions {
  log: SessionLog;
  connection: AgentConnection;
  watch: TurnWatch;
  settings: Pick<SettingsChanges, "isUnderWay" | "isDue" | "prepare" | "forgetRestored">;
  checkpoints: Pick<
    SessionCheckpoints,
    "prepare" | "recordBefore" | "overtaken" | "isPreparing" | "isEnding" | "working"
  >;
  services: Pick<Services, "now" | "limits" | "counters" | "identity" | "retries" | "commit">;
}

type AcceptedPrompt = SendPrompt & { by: Principal; checks?: QueueChecks };

export class PromptQueue {
  readonly #log: SessionLog;
  readonly #connection: AgentConnection;
  readonly #watch: TurnWatch;
  readonly #settings: PromptQueueOptions["settings"];
  readonly #checkpoints: PromptQueueOptions["checkpoints"];
  readonly #services: PromptQueueOptions["services"];
  /** The prompt whose content is being read from the log. */
  #reading: string | undefined;
  /** Pending commits of accepted prompts, for requests that are repeated meanwhile. */
  readonly #accepting = new Map<string, Promise<void>>();
  readonly #typed = new TypedPlaceholders();
  /** Who wrote the prompts that wait, as far as they may not give every command. Nobody knows it after a restart. */
  readonly #authors = new Map<string, Access>();
  readonly #preparationRetry: PromptRetry;
  /** Why a prompt gets a failed turn once the restore that runs has ended. */
  #postponed: { readonly prompt: QueuedPrompt; readonly error: TurnError; readonly raw?: number } | undefined;
  /** Runs while the agent of the next prompt could not be started because the store could not be read. */
  #retry: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #isPaused = false;

  constructor({ log, connection, watch, settings, checkpoints, services }: PromptQueueOptions) {
    this.#log = log;
    this.#connection = connection;
    this.#watch = watch;
    this.#settings = settings;
    this.#checkpoints = checkpoints;
    this.#services = services;
    this.#preparationRetry = new PromptRetry({ log, services });
    const { storedPreparing } = log;
    log.preparing = () => (log.isGuest ? storedPreparing : this.#preparation);
  }

  get #preparation(): PromptPreparation | undefined {
    const message = this.#hasEnded ? undefined : this.#prepared;
    return message === undefined
      ? undefined
      : { message, ...this.#services.identity, deaths: this.#preparationRetry.deathsOf(message) };
  }

  /** The prompt that the daemon works for. One that waits for its turn, for a slot or for a restore is none. */
  get #prepared(): string | undefined {
    const { state } = this.#log;
    const begun = this.#preparationRetry.announced ?? this.#checkpoints.working ?? this.#reading;
    if (begun !== undefined || state.turn || !this.#connection.isStarting) return begun;
    return nextPrompt(state)?.message;
  }

  /** Daemons have died while they prepared this prompt: it is prepared when no other such prompt is. */
  retryAlone(message: string, deaths: number): void {
    this.#preparationRetry.begin(message, deaths);
  }

  /**
   * Whether the next prompt waits only for its content, for the store, for the checkpoint before it or for the end of a
   * restore.
   */
  get isBeginning(): boolean {
    const { restore } = this.#log.state;
    const isReading = this.#reading !== undefined || this.#retry !== undefined;
    return isReading || this.#checkpoints.isPreparing || restore !== undefined;
  }

  /** The session is being closed, or the daemon is stopping. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Nothing new begins. What waits stays in the log. */
  end(): void {
    this.#hasEnded = true;
    this.#preparationRetry.end();
    this.#log.notePreparing();
  }

  /** Prompts are taken and wait: the next one to have the session begins with them. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Throws where the prompt would be refused, whatever runs or waits; with `isBusy` also for what does. */
  assertPossible(prompt: SendPrompt & { by: Principal }, isBusy = false): void {
    const { state } = this.#log;
    this.#log.assertAlive();
    assertOpen(state, this.#hasEnded);
    assertNothingMissing(this.#log);
    assertEnvironment(state, this.#connection);
    assertAcceptable(prompt, state, this.#connection, isBusy);
    assertSettingsOffered(state, prompt.settings);
    this.#assertAllowed(prompt);
  }

  /** Asserts that the sender may say this to the agent as it works now. */
  #assertAllowed({ by, ...prompt }: { by: Principal } & Partial<SendPrompt>): void {
    assertMayPrompt(by.access, { agent: this.#connection.agent, state: this.#log.state }, prompt);
  }

  /** Takes a prompt. The message id is known to be new. */
  async accept(message: string, prompt: AcceptedPrompt): Promise<PromptReceipt> {
    const log = this.#log;
    const { state } = log;
    // What is said now goes before what is held, which goes on after it.
    const { queueHeld } = state;
    const held = queueHeld && canPass(prompt.checks, state.queue) ? state.queue[0] : undefined;
    const busy = state.turn !== undefined || (firstFree(state) !== undefined && !held);
    this.assertPossible(prompt, busy);
    if (busy || !this.#connection.isReady) {
      assertQueueLength(state, this.#services.limits);
      this.#assertQueueSpace(promptSize(prompt.parts));
    }
    const steers = prompt.whenBusy === "steer" && this.#canSteer();
    const { mask } = this.#connection;
    const parts = mask.value(prompt.parts);
    this.#typed.note(message, mask.unknownIn(prompt.parts));
    this.#noteAuthor(message, prompt.by.access);
    const receipt = steers ? "steered" : busy ? "queued" : "started";
    const { settings } = prompt;
    const { name: by, access } = prompt.by;
    const author = access.token;
    const seq = state.head + (queueHeld ? 2 : 1);
    log.act((machine) => {
      if (queueHeld) machine.emit({ type: "session.updated", queueHeld: false, by });
      machine.acceptPrompt(message, parts, prompt.whenBusy, { receipt, settings, by, author });
      if (held && !steers) machine.emit({ type: "prompt.moved", message, before: held.message, by });
    });
    if (steers) this.#dispatch(message, parts, true);
    else this.advance();
    log.contents.trim();
    // If the agent is ready, the turn has already begun.
    const turn = busy && !steers ? undefined : log.state.turn?.id;
    const committed = log.flush();
    this.#accepting.set(message, committed);
    const forget = () => this.#accepting.delete(message);
    committed.then(forget, forget);
    await log.durable(committed);
    return { message, state: receipt, turn, seq };
  }

  /** Resolves when a prompt that was accepted a moment ago is in the store. */
  async accepted(message: string): Promise<void> {
    const committed = this.#accepting.get(message);
    if (committed) await this.#log.durable(committed);
  }

  async change(
    message: string,
    { parts, by }: { parts: PromptPart[]; by: Principal },
  ): Promise<QueuedPrompt> {
    const prompt = requireQueued(this.#log.state, message);
    this.#assertAllowed({ parts, settings: prompt.settings, by });
    this.#assertQueueSpace(promptSize(parts) - prompt.bytes);
    const { mask } = this.#connection;
    this.#typed.note(message, mask.unknownIn(parts));
    this.#noteAuthor(message, by.access);
    this.#log.act((machine) =>
      machine.emit({ type: "prompt.changed", message, parts: mask.value(parts), by: by.name }),
    );
    this.#log.contents.trim();
    const changed = { ...prompt };
    await this.#log.durable();
    return changed;
  }

  /** To before another prompt that waits, or behind all. */
  async move(
    message: string,
    { before, by, checks }: { before: string | null; by: string; checks?: QueueChecks },
  ): Promise<QueuedPrompt> {
    const { queue } = this.#log.state;
    const prompt = requireQueued(this.#log.state, message);
    const from = queue.indexOf(prompt);
    const to = before === null ? queue.length : queue.indexOf(requireQueued(this.#log.state, before));
    if (to !== from && to !== from + 1) {
      if (to < from) assertCanPass(checks, queue.slice(to, from));
      this.#log.act((machine) =>
        machine.emit({ type: "prompt.moved", message, before: before ?? undefined, by }),
      );
    }
    await this.#log.durable();
    return { ...prompt };
  }

  /** Nothing that waits, or comes back from the turn, begins until a prompt is sent or `release` is called. */
  hold(by: string): void {
    const { queue, queueHeld, turn } = this.#log.state;
    if (queueHeld || (!firstFree({ queue }) && !turn?.steered.length)) return;
    this.#log.act((machine) => machine.emit({ type: "session.updated", queueHeld: true, by }));
  }

  /** What waits goes on; of prompts that are held by themselves only the given one, or all. False if nothing was held. */
  release(by: string, only?: string): boolean {
    const { queue, queueHeld, closed } = this.#log.state;
    const held = queue.filter(({ held, message }) => held && (only === undefined || only === message));
    if (closed || (!queueHeld && held.length === 0)) return false;
    const isAnyHeld = queue.length > 0;
    this.#log.act((machine) => {
      if (queueHeld) machine.emit({ type: "session.updated", queueHeld: false, by });
      for (const { message } of held) machine.emit({ type: "prompt.held", message, held: false, by });
    });
    this.advance();
    return isAnyHeld;
  }

  /** Gives a waiting prompt to the running turn. Undefined, and nothing was done, where the agent cannot take it. */
  async steer(message: string, by: string): Promise<PromptReceipt | undefined> {
    const { contents, state } = this.#log;
    const prompt = requireQueued(state, message);
    // Settings hold for a whole turn.
    if (!this.#connection.capabilities.steer || prompt.settings || !this.#canSteer()) return undefined;
    const wanted = { ...prompt };
    let parts = contents.kept(message);
    if (!parts) {
      await this.#log.flush();
      parts = await contents.read(wanted);
    }
    const current = requireQueued(state, message);
    if (current.contentSeq !== wanted.contentSeq) return this.steer(message, by);
    if (!this.#canSteer() || this.#lostIn(message, parts).length > 0) return undefined;
    if (this.#refusalOf(message, parts)) return undefined;
    this.release(by, message);
    this.#dispatch(message, parts, true);
    const seq = state.head;
    await this.#log.durable();
    return { message, state: "steered", turn: state.turn?.id, seq };
  }

  /** Placeholders of values that are not known any more. */
  #lostIn(message: string, parts: readonly PromptPart[]): string[] {
    return this.#typed.others(message, this.#connection.mask.unknownIn(parts));
  }

  #assertQueueSpace(bytes: number): void {
    const { limits, counters } = this.#services;
    assertQueueSpace(this.#log.state, bytes, counters.waitingBytes, limits);
  }

  async withdraw(message: string, by: string): Promise<void> {
    requireQueued(this.#log.state, message);
    this.#typed.forget(message);
    this.#authors.delete(message);
    this.#log.act((machine) => machine.emit({ type: "prompt.withdrawn", message, by }));
    this.#endOldRetry();
    await this.#log.durable();
  }

  /** Goes on with the next waiting prompt, if there is one and nothing is running. The end of a restore calls it too. */
  advance(): void {
    this.#endOldRetry();
    this.#advance();
    this.#log.notePreparing();
  }

  /** The prompt that was retried does not wait any more. */
  #endOldRetry(): void {
    this.#preparationRetry.endUnless((message) =>
      this.#log.state.queue.some((queued) => queued.message === message),
    );
  }

  #advance(): void {
    const { state } = this.#log;
    const connection = this.#connection;
    if (state.closed || this.#hasEnded || connection.isClosing || connection.isEnvironmentMissing) return;
    if (state.restore || this.#isPaused || this.#log.isGuest) return;
    if (state.turn) {
      if (nextPrompt(state)) this.#watch.outliving(() => this.#overtake());
      return;
    }
    this.#failPostponed();
    const next = nextPrompt(state);
    if (!next) this.#watch.resting();
    if (next && !this.#isReady(next)) return;
    if (this.#settings.isUnderWay) return;
    if (connection.isReady) this.#begin(next);
    else if (next) void this.attach();
  }

  #isReady({ message }: QueuedPrompt): boolean {
    return this.#preparationRetry.isReady(message, () => this.advance());
  }

  /** The settings of a prompt are in force before its turn begins, and those of the session again after it. */
  #begin(prompt: QueuedPrompt | undefined): void {
    if (!this.#settings.isDue(prompt)) {
      this.#settings.forgetRestored(prompt);
      return prompt && this.#dispatchWaiting(prompt);
    }
    this.#settings.prepare(prompt, (refusal) => {
      const isNext = nextPrompt(this.#log.state) === prompt;
      if (prompt && refusal && isNext) this.fail({ code: refusal.code, message: refusal.message });
    });
  }

  /** At once if its content is in memory and needs no checkpoint, else later, provided it is still the next one. */
  #dispatchWaiting(prompt: QueuedPrompt): void {
    const parts = this.#log.contents.kept(prompt.message);
    if (!parts) {
      if (this.#reading === undefined) void this.#read(prompt);
      return;
    }
    if (this.#checkpoints.prepare(prompt.message, () => this.#goOn()))
      this.#dispatch(prompt.message, parts, false);
  }

  /** The checkpoint is there, or there is none. */
  #goOn(): void {
    const { turn } = this.#log.state;
    if (turn !== undefined && turn.id === this.#checkpoints.overtaken) this.#overtake();
    else this.advance();
  }

  async #read(prompt: QueuedPrompt): Promise<void> {
    const { contents, state } = this.#log;
    // As it is now: it may be changed while it is being read.
    const wanted = { ...prompt };
    this.#reading = wanted.message;
    this.#log.notePreparing();
    try {
      await this.#log.flush();
      const parts = await contents.read(wanted);
      const isCurrent = firstFree(state) === prompt && prompt.contentSeq === wanted.contentSeq;
      if (isCurrent) contents.keep(wanted.message, parts);
    } catch (error) {
      const code = InterlinguaError.isInstance(error) ? error.code : "session_damaged";
      // After a passing failure it is read again. What still waits at the end stays in the log.
      if (code === "store_busy") await sleep(RETRY_MS);
      else if (nextPrompt(state) === prompt && !this.#hasEnded)
        this.fail({ code, message: `The prompt could not be read from the log: ${errorText(error)}` });
    } finally {
      this.#reading = undefined;
    }
    this.advance();
    contents.trim(firstFree(state)?.message);
  }

  /** Starts the agent, then goes on. Gives the reason if it could not be started. */
  async attach(): Promise<InterlinguaError | undefined> {
    const failure = await this.#connection.connect();
    if (failure?.code === "store_busy") this.#advanceLater();
    else this.advance();
    return failure;
  }

  /** What waits goes on waiting until the store can be read. */
  #advanceLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.advance();
    }, RETRY_MS).unref();
  }

  /** The prompt that needed the agent gets a turn that says why there is none; `raw` names a record that says more. */
  fail(error: TurnError, raw?: number): void {
    const { restore } = this.#log.state;
    const next = nextPrompt(this.#log.state);
    if (restore) {
      if (next) this.#postponed = { prompt: next, error, raw };
      return;
    }
    this.#log.act((machine) => {
      if (next) machine.dispatch(next.message);
      machine.from(raw, () => machine.endTurn("failed", error));
    });
  }

  #failPostponed(): void {
    const postponed = this.#postponed;
    this.#postponed = undefined;
    if (postponed && nextPrompt(this.#log.state) === postponed.prompt)
      this.fail(postponed.error, postponed.raw);
  }

  /**
   * The prompt the agent is being started for gets a turn that was stopped before the agent saw it. During a restore there
   * are no turns: it is withdrawn, or held with the others. False if no prompt waits.
   */
  async interruptStart(by: string, holds: boolean): Promise<boolean> {
    const { queue, restore } = this.#log.state;
    const next = nextPrompt(this.#log.state);
    if (!next) return false;
    if (restore) {
      if (holds) this.hold(by);
      else await this.withdraw(next.message, by);
      await this.#log.durable();
      return true;
    }
    const hasMore = queue.some((queued) => queued !== next && !queued.held);
    this.#log.act((machine) => {
      machine.dispatch(next.message);
      if (holds && hasMore) machine.emit({ type: "session.updated", queueHeld: true, by });
      machine.stopping(by);
      machine.endTurn("interrupted");
    });
    this.#endOldRetry();
    await this.#log.durable();
    return true;
  }

  /** The agent's own turn has fallen silent: the prompt that waits now, if there still is one, takes over. */
  #overtake(): void {
    const next = nextPrompt(this.#log.state);
    const isHeldUp = this.#hasEnded || this.#isPaused || this.#log.state.restore !== undefined;
    if (next && !isHeldUp && this.#isReady(next)) this.#begin(next);
  }

  #dispatch(message: string, parts: readonly PromptPart[], steer: boolean): void {
    const log = this.#log;
    this.#preparationRetry.endUnless((retried) => retried !== message);
    const connection = this.#connection;
    if (this.#hasLostMemory(message)) {
      this.#withdrawContinuation(message);
      return this.advance();
    }
    const lost = this.#lostIn(message, parts);
    const refusal = this.#refusalOf(message, parts);
    // A steered one may come back.
    if (!steer) {
      this.#typed.forget(message);
      this.#authors.delete(message);
    }
    if (refusal && !steer) {
      this.fail({ code: refusal.code, message: refusal.message });
      return this.advance();
    }
    if (lost.length > 0) {
      this.fail({
        code: "env_required",
        message: `The value of ${lost.join(", ")} is no longer known. Send the prompt again, with the value.`,
      });
      return this.advance();
    }
    dispatchPrompt(
      { log, connection, checkpoints: this.#checkpoints, watch: this.#watch, now: this.#services.now },
      { message, parts, steer },
      () => this.advance(),
    );
  }

  /** The prompt continues a turn that the agent, which was started anew, knows nothing of. */
  #hasLostMemory(message: string): boolean {
    const { agentMemory, queue } = this.#log.state;
    const prompt = queue.find((queued) => queued.message === message);
    return prompt?.continuesTurn !== undefined && agentMemory === "none";
  }

  #withdrawContinuation(message: string): void {
    this.#log.act((machine) => {
      machine.emit({ type: "prompt.withdrawn", message, by: DAEMON_NAME });
      notContinued(machine, "The agent does not remember it.");
    });
  }

  #noteAuthor(message: string, access: Access): void {
    if (hasRight(access, "session.bypass")) this.#authors.delete(message);
    else this.#authors.set(message, access);
  }

  /** Why the author of a prompt may not give its command. The agent may have listed commands since it was accepted. */
  #refusalOf(message: string, parts: readonly PromptPart[]): InterlinguaError | undefined {
    const access = this.#authors.get(message);
    if (!access) return undefined;
    try {
      assertMayGive(access, commandIn({ agent: this.#connection.agent, state: this.#log.state }, parts));
      return undefined;
    } catch (error) {
      if (InterlinguaError.isInstance(error)) return error;
      throw error;
    }
  }

  #canSteer(): boolean {
    const { turn, restore } = this.#log.state;
    const isRunning = turn !== undefined && turn.stoppingBy === undefined && !this.#checkpoints.isEnding;
    return this.#connection.isReady && isRunning && !restore;
  }
}
