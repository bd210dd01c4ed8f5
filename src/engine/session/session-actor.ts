/**
 * The actor of one live session. Every change goes through its log in the order of the calls; what has to reach the
 * agent leaves after the event that records it is committed.
 */

import type { AgentSettings, BackendAdapter } from "../../core/adapter.ts";
import type { AskingAgent } from "../../core/asks-permission.ts";
import { errorText } from "../../core/error-text.ts";
import type { TurnError } from "../../core/event.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { nextPrompt, type OpenTask, type SessionState } from "../../core/session-state.ts";
import type { FileDifference } from "../../core/workspace.ts";
import type { PassedMessage, PassedReceipt, UpdateSession } from "../../protocol/commands/command-types.ts";
import { AgentConnection, type SessionValues } from "../agent/agent-connection.ts";
import { AgentOffers } from "../agent/agent-offers.ts";
import { givenSettings, SettingsChanges } from "../agent/settings-changes.ts";
import { AskResponder } from "../asks/ask-responder.ts";
import type { Services } from "../engine-services.ts";
import { SessionCheckpoints } from "../files/session-checkpoints.ts";
import { ConversationRewind } from "../prompts/conversation-rewind.ts";
import { PromptDispatch } from "../prompts/prompt-dispatch.ts";
import { PromptQueue } from "../prompts/prompt-queue.ts";
import { assertNoPlaceholders, maskFreeFields } from "../secrets/session-secrets.ts";
import { type RecoverSessionOptions, recoverSession } from "./recover-session.ts";
import { assertEnvironment, assertEnvironmentSize, assertOpen } from "./session-assertions.ts";
import { onlyLabels, withoutKnownLabels } from "./session-labels.ts";
import { isStoreUnavailable, type SessionLog } from "./session-log.ts";
import { SessionSteps } from "./session-steps.ts";
import { Timers } from "./timers.ts";
import { TurnWatch } from "./turn-watch.ts";

export class SessionActor {
  readonly log: SessionLog;
  readonly prompts: PromptQueue;
  readonly steps: SessionSteps;
  readonly checkpoints: SessionCheckpoints;
  readonly asks: AskResponder;
  readonly rewind: ConversationRewind;
  readonly #timers = new Timers();
  readonly #connection: AgentConnection;
  readonly #offers: AgentOffers;
  readonly #watch: TurnWatch;
  readonly #settings: SettingsChanges;
  readonly #services: Services;
  /** How much goes on with it that takes long. */
  #users = 0;
  /** The last time an idle agent was ended. */
  #resting: Promise<void> | undefined;

  constructor(log: SessionLog, adapter: BackendAdapter, services: Services, values: SessionValues) {
    this.log = log;
    this.#services = services;
    const events = {
      starting: () => this.steps.wake(),
      heard: () => this.#onHeard(),
      turnEnding: () => this.checkpoints.turnEnding(),
      absent: (error: TurnError, raw?: number) => this.steps.refuse(error, raw),
      gone: () => this.#onGone(),
    };
    this.#connection = new AgentConnection(log, adapter, services, events, values);
    this.#offers = new AgentOffers(log.state, this.#connection);
    this.#watch = new TurnWatch({
      state: log.state,
      connection: this.#connection,
      timers: this.#timers,
      limits: services.limits,
      now: services.now,
      interrupt: (by) => this.#stop(by),
      idle: () => void this.rest(),
    });
    this.asks = new AskResponder({
      log,
      connection: this.#connection,
      timers: this.#timers,
      watch: this.#watch,
      now: services.now,
    });
    this.#settings = new SettingsChanges({
      log,
      connection: this.#connection,
      limits: services.limits,
      assertOpen: () => assertOpen(log.state, this.steps.hasEnded),
      settled: () => this.steps.wake(),
    });
    this.checkpoints = new SessionCheckpoints({
      log,
      connection: this.#connection,
      services,
      hasEnded: () => this.steps.hasEnded,
      isRemote: adapter.capabilities.availability === "remote",
    });
    const dispatch = new PromptDispatch({
      log,
      connection: this.#connection,
      checkpoints: this.checkpoints,
      watch: this.#watch,
      now: services.now,
      changed: () => this.steps.wake(),
    });
    this.steps = new SessionSteps({
      log,
      connection: this.#connection,
      watch: this.#watch,
      settings: this.#settings,
      checkpoints: this.checkpoints,
      dispatch,
      services,
    });
    this.prompts = new PromptQueue({
      log,
      connection: this.#connection,
      steps: this.steps,
      dispatch,
      checkpoints: this.checkpoints,
      services,
    });
    this.rewind = new ConversationRewind({
      log,
      connection: this.#connection,
      steps: this.steps,
      services,
      rest: () => this.rest(),
    });
  }

  get state(): SessionState {
    return this.log.state;
  }

  /** Whether it can be dropped from memory and loaded again later unnoticed. */
  get isAtRest(): boolean {
    return (this.state.queue.length === 0 || this.log.access.is === "log") && this.canMove;
  }

  /** Whether another node can go on with it, with what waits: nothing is under way. */
  get canMove(): boolean {
    const { turn, restore } = this.state;
    const isBusy =
      this.#users > 0 ||
      turn !== undefined ||
      (restore !== undefined && this.log.access.missing !== "files") ||
      this.#settings.isUnderWay ||
      this.checkpoints.isUnderWay ||
      this.steps.isTakingCheckpoint;
    return this.#connection.isDisconnected && !isBusy && this.log.isCommitted;
  }

  /** Whether its agent runs and has nothing to do, whatever waits. */
  get isBetweenTurns(): boolean {
    const { turn, asks, tasks } = this.state;
    const isWorking = [...tasks.values()].some((task) => !task.implicit);
    const { isReady, isClosing } = this.#connection;
    return isReady && !isClosing && !turn && asks.size === 0 && !isWorking;
  }

  /** Keeps it in memory until disposed of: for what reads or waits before it writes into the log. */
  keepLoaded(): Disposable {
    this.#users += 1;
    return {
      [Symbol.dispose]: () => {
        this.#users -= 1;
      },
    };
  }

  /** Whether its agent is idle: no turn, prompt that is not held, ask or background work. */
  get isIdle(): boolean {
    return this.isBetweenTurns && !nextPrompt(this.state);
  }

  /** Whether an agent would have to be started for a prompt. */
  get needsAgent(): boolean {
    return this.#connection.isDisconnected;
  }

  /** When its agent last sent or received something. */
  get lastHeardAt(): number {
    return this.#connection.lastHeardAt;
  }

  get isEnvironmentMissing(): boolean {
    return this.#connection.isEnvironmentMissing;
  }

  /** The value as the log would have it. */
  masked<Some>(value: Some): Some {
    return this.#connection.mask.value(value);
  }

  /** A change of a file as the log would have it. A long one is masked in slices. */
  async maskedChange(change: FileDifference): Promise<FileDifference> {
    const { diff, ...rest } = change;
    const { mask } = this.#connection;
    using _prepared = await this.prepareMask(rest);
    using _preparedDiff = await (diff === undefined ? undefined : this.#connection.prepareDiffMask([diff]));
    return { ...mask.value(rest), ...(diff !== undefined && { diff: mask.diff(diff) }) };
  }

  /** See `SecretMask.prepare`. */
  prepareMask(value: unknown): Promise<Disposable> | undefined {
    return this.#connection.prepareMask(value);
  }

  /** What is known of when its agent asks. */
  get agent(): AskingAgent {
    return this.#connection.agent;
  }

  /** Whether it contains placeholders of unknown values. */
  hasLostSecrets(parts: readonly PromptPart[]): boolean {
    return this.#connection.mask.unknownIn(parts).length > 0;
  }

  /** Closes what a dead daemon, or another node, left open; then goes on with what waits. */
  recover(loss: Pick<RecoverSessionOptions, "lostNode" | "lostEvents"> = {}): void {
    const { log, checkpoints, steps } = this;
    const settings = this.#settings;
    recoverSession({ log, settings, checkpoints, steps, services: this.#services, ...loss });
  }

  /** Starts the agent unless it runs, and waits until it has told what it offers. Rejects if it cannot be started. */
  async attach(): Promise<void> {
    assertOpen(this.state, this.steps.hasEnded);
    assertEnvironment(this.state, this.#connection);
    await this.#resting;
    const failure = await this.steps.attach();
    if (failure) throw failure;
    await this.#offers.known();
    await this.#settings.settled();
    await this.log.durable();
    // It may have been closed meanwhile.
    assertOpen(this.state, this.steps.hasEnded);
  }

  /** Keeps a message that nobody here understands, and gives it to an agent that may. */
  async passOn({ type, value }: PassedMessage, by: string): Promise<PassedReceipt> {
    assertOpen(this.state, this.steps.hasEnded);
    const text = `${by} sent a message of the type "${type}".`;
    this.#connection.notice("info", "unknown-message", text, { by, message: value });
    const seq = this.state.head;
    await this.log.durable();
    return { seq, passedOn: this.#connection.passOn(value) };
  }

  /**
   * True when a turn was running; with `wanted` only when it was that one. With `holds` no prompt that waits begins after
   * it, nor after `wanted` where that has just ended.
   */
  async interrupt(by: string, wanted?: string, holds = false): Promise<boolean> {
    const { turn } = this.state;
    if (turn && wanted !== undefined && wanted !== turn.id) return false;
    try {
      if (!turn && wanted === undefined && this.#isAboutToBegin)
        return await this.prompts.interruptStart(by, holds);
      if (!turn && !holds) return false;
      // First in the log: whoever knows of the stop knows what becomes of the others.
      if (holds) this.prompts.hold(by);
      this.#stop(by);
      await this.log.durable();
    } catch (error) {
      // The agent is told to stop all the same; the log records it as soon as it can be written.
      if (!isStoreUnavailable(error)) throw error;
    }
    return turn !== undefined;
  }

  /** A prompt waits only for its agent, its content or a change of settings. */
  get #isAboutToBegin(): boolean {
    return this.#connection.isConnecting || this.steps.isBeginning || this.#settings.isUnderWay;
  }

  #stop(by: string): void {
    const { turn } = this.state;
    if (!turn || turn.stoppingBy !== undefined) return;
    this.log.act((machine) => machine.stopping(by));
    // The one command that does not need a writable log: a forgotten stop does no harm. It is for this turn, which may
    // end before the agent is told.
    void this.#connection.send(
      { type: "interrupt" },
      this.log.durable().catch(() => {}),
      () => this.state.turn?.id === turn.id,
    );
    this.#watch.stopping(turn.id);
  }

  get canStopTasks(): boolean {
    return this.#connection.capabilities.stopTasks === true;
  }

  /** Tells the agent to end a task that runs. Told again, it is told again; the log says it once. */
  async stopTask(task: string, { native = task, title, stoppingBy }: OpenTask, by: string): Promise<void> {
    assertOpen(this.state, this.steps.hasEnded);
    if (stoppingBy === undefined)
      this.log.act((machine) => machine.emit({ type: "task.stopping", task, by }));
    const committed = this.log.durable();
    const isRunning = () => this.state.tasks.has(task);
    void this.#connection.send({ type: "stopTask", task: native }, committed, isRunning).then((delivery) => {
      if (delivery.delivered || !isRunning()) return;
      this.#connection.notice(
        "warning",
        "task",
        `“${title}” could not be stopped: ${errorText(delivery.error)}`,
      );
    });
    await committed;
  }

  /** `settle` gives the settings of the change with what follows from them, or refuses them. */
  async update(change: UpdateSession, by: string, settle: () => Promise<AgentSettings>): Promise<void> {
    assertNoPlaceholders(change);
    const { env, status, model: _model, mode: _mode, permissionMode: _permissionMode, ...rest } = change;
    const { settings, ...fields } = rest;
    const given = withoutKnownLabels(fields, this.state);
    const released = Object.keys(settings ?? {}).filter((id) => settings?.[id] === null);
    const isLabel = onlyLabels(change);
    if (status === undefined && !isLabel) assertOpen(this.state, this.steps.hasEnded);
    // Before anything is changed: a request that is refused changes nothing.
    if (env !== undefined) assertEnvironmentSize(this.state, env);
    if (Object.keys(givenSettings(change)).length > 0 || released.length > 0)
      await this.#settings.change(settle, released, by);
    if (env !== undefined) this.#connection.addEnvironment(env);
    using _prepared = await this.prepareMask(given);
    const event = {
      ...maskFreeFields(this.#connection.mask, given),
      ...(env !== undefined && {
        env: [...new Set([...(this.state.env ?? []), ...Object.keys(env)])].sort(),
      }),
    };
    if (Object.keys(event).length > 0) {
      if (!isLabel) assertOpen(this.state, this.steps.hasEnded);
      this.log.label((machine) => machine.emit({ type: "session.updated", ...event, by }));
    }
    if (status === "closed") await this.log.durable(this.close(by));
    else this.steps.wake();
    await this.log.durable();
  }

  /** Ends the agent and closes the session for good; its log stays. */
  async close(by: string): Promise<void> {
    if (this.state.closed) return;
    this.steps.end();
    this.log.act((machine) => {
      for (const { message } of [...this.state.queue])
        machine.emit({ type: "prompt.withdrawn", message, by });
      machine.stopping(by);
    });
    this.#timers.clearAll();
    await this.#connection.disconnect("closed");
    // One that has begun also ends in the log. One that is only planned is refused.
    if (this.state.restore) await this.#services.inRestore.released(this.state.cwd);
    // It may have been deleted meanwhile, and made anew.
    if (this.log.hasEnded) return;
    void this.checkpoints.stop();
    this.log.act((machine) => machine.emit({ type: "session.closed", by }));
    await this.#connection.dispose();
  }

  /** The daemon stops: the agent is ended and nothing new begins. */
  async stop(error: TurnError): Promise<void> {
    this.steps.end();
    this.#timers.clearAll();
    await this.#connection.disconnect("closed", error);
    await this.checkpoints.stop();
    // A change whose agent is gone now is kept for the next one, as far as that can be written.
    await this.log.durable(this.#settings.settled()).catch(() => {});
  }

  /** Ends the agent and everything it started. Nothing more is written, for this reason. */
  async destroy(reason: unknown): Promise<void> {
    this.steps.end();
    this.#timers.clearAll();
    this.log.end(reason);
    void this.checkpoints.stop();
    await this.#connection.dispose();
  }

  /** The agent has been idle for long: it is ended, and started again with the next prompt. */
  async rest(): Promise<void> {
    this.#timers.clearAll();
    this.#resting = this.#connection.disconnect("idle");
    await this.#resting;
    // One may have come meanwhile.
    this.steps.wake();
  }

  #onHeard(): void {
    this.#offers.check();
    if (this.state.asks.size > 0) this.asks.watch();
    const { turn } = this.state;
    if (turn) this.#watch.running();
    // A prompt may wait for the silence of the agent's own turn, also one that came back from it.
    const hasWaiting = turn?.origin === "agent" && nextPrompt(this.state) !== undefined;
    if (hasWaiting || (!turn && this.#watch.noticeEnd())) this.steps.wake();
  }

  #onGone(): void {
    this.#timers.clearAll();
    this.#watch.forget();
    this.#offers.check();
    // If one is being started, its starter goes on.
    if (!this.#connection.isConnecting) this.steps.wake();
  }
}
