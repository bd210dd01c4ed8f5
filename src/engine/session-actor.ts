/**
 * The actor of one live session. Every change goes through its log in the order of the calls; what has to reach the
 * agent leaves after the event that records it is committed.
 */
import type { AgentSettings, BackendAdapter } from "../core/adapter.ts";
import type { AskAnswer } from "../core/ask.ts";
import { eventOf } from "../core/encoded-event.ts";
import type { EventOf, TurnError } from "../core/event.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionState } from "../core/session-state.ts";
import type { FileDifference } from "../core/workspace.ts";
import { AgentConnection } from "./agent-connection.ts";
import { AgentOffers } from "./agent-offers.ts";
import { AskResponder } from "./ask-responder.ts";
import { carryOutRestore } from "./carry-out-restore.ts";
import type { AskReply, UpdateSession } from "./engine.ts";
import type { Services } from "./engine-services.ts";
import { findRewindPlace } from "./native-place.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { assertEnvironment, assertEnvironmentSize, assertNoTurn, assertOpen } from "./session-assertions.ts";
import { SessionCheckpoints } from "./session-checkpoints.ts";
import { isStoreUnavailable, type SessionLog } from "./session-log.ts";
import { assertNoPlaceholders, maskFreeFields } from "./session-secrets.ts";
import { givenSettings, SettingsChanges } from "./settings-changes.ts";
import { Timers } from "./timers.ts";
import { TurnWatch } from "./turn-watch.ts";

export class SessionActor {
  readonly log: SessionLog;
  readonly prompts: PromptQueue;
  readonly checkpoints: SessionCheckpoints;
  readonly #timers = new Timers();
  readonly #connection: AgentConnection;
  readonly #offers: AgentOffers;
  readonly #asks: AskResponder;
  readonly #watch: TurnWatch;
  readonly #settings: SettingsChanges;
  readonly #services: Services;
  /** The last time an idle agent was ended. */
  #resting: Promise<void> | undefined;

  constructor(
    log: SessionLog,
    adapter: BackendAdapter,
    services: Services,
    environment?: Record<string, string>,
  ) {
    this.log = log;
    this.#services = services;
    const events = {
      heard: () => this.#onHeard(),
      turnEnding: () => this.checkpoints.turnEnding(),
      absent: (error: TurnError) => this.prompts.fail(error),
      gone: () => this.#onGone(),
    };
    this.#connection = new AgentConnection(log, adapter, services, events, environment);
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
    this.#asks = new AskResponder({
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
      assertOpen: () => assertOpen(log.state, this.prompts.hasEnded),
      settled: () => this.prompts.advance(),
    });
    this.checkpoints = new SessionCheckpoints({
      log,
      connection: this.#connection,
      services,
      hasEnded: () => this.prompts.hasEnded,
    });
    this.prompts = new PromptQueue({
      log,
      connection: this.#connection,
      watch: this.#watch,
      settings: this.#settings,
      checkpoints: this.checkpoints,
      services,
    });
  }

  get state(): SessionState {
    return this.log.state;
  }

  /** Whether it can be dropped from memory and loaded again later unnoticed. */
  get isAtRest(): boolean {
    const { turn, queue, restore } = this.state;
    const isBusy =
      turn !== undefined ||
      restore !== undefined ||
      queue.length > 0 ||
      this.#settings.isUnderWay ||
      this.checkpoints.isUnderWay;
    return this.#connection.isDisconnected && !isBusy && this.log.isCommitted;
  }

  /** Whether its agent is idle: no turn, prompt, ask or background work. */
  get isIdle(): boolean {
    const { turn, queue, asks, tasks } = this.state;
    const isWorking = [...tasks.values()].some((task) => !task.implicit);
    return (
      this.#connection.isReady &&
      !this.#connection.isClosing &&
      !turn &&
      queue.length === 0 &&
      asks.size === 0 &&
      !isWorking
    );
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

  /** A change of a file as the log would have it. */
  maskedChange(change: FileDifference): FileDifference {
    const { diff, ...rest } = change;
    const { mask } = this.#connection;
    return { ...mask.value(rest), ...(diff !== undefined && { diff: mask.diff(diff) }) };
  }

  /** See `SecretMask.prepare`. */
  prepareMask(value: unknown): Promise<Disposable> | undefined {
    return this.#connection.prepareMask(value);
  }

  /** Whether it contains placeholders of unknown values. */
  hasLostSecrets(parts: readonly PromptPart[]): boolean {
    return this.#connection.mask.unknownIn(parts).length > 0;
  }

  /** Closes what a dead daemon left open, then goes on with what waits. */
  recover(): void {
    const { state } = this;
    const cut = state.turn && { ...state.turn };
    const { head } = state;
    this.log.act((machine) => {
      if (state.turn) {
        const delivery = state.turn.heard || state.turn.unconfirmed.length === 0 ? "known" : "unknown";
        const had =
          delivery === "known" ? "had received the prompt" : "may or may not have received the prompt";
        const message = `The daemon was restarted during this turn; the agent ${had}. Nothing was sent again.`;
        machine.endTurn("interrupted", { code: "daemon_restarted", message }, delivery);
      }
      if (state.attached) machine.detach("crash");
    });
    this.#settings.keepRequested();
    if (state.restore) void this.#finishRestore(state.restore);
    else if (cut?.before !== undefined && this.checkpoints.workspace)
      this.checkpoints.recordLate(cut, () => this.#timeOf(head));
    // Also for sessions beside it that were cut off too.
    if (cut) this.#services.turns.note(state, cut, this.#services.now());
    this.prompts.advance();
  }

  async #timeOf(seq: number): Promise<number> {
    const { events } = await this.#services.store.readEvents(this.state.id, seq - 1, 1);
    return events[0] ? eventOf(events[0]).at : 0;
  }

  /** A dead daemon was restoring files: the rest is done now. Prompts wait. */
  async #finishRestore(restore: EventOf<"restore.started">): Promise<void> {
    const { workspace, inRestore, logger } = this.#services;
    const release = inRestore.hold(this.state.cwd);
    try {
      if (workspace) await carryOutRestore(this.log, this.checkpoints, workspace, restore);
      else this.log.act((machine) => machine.emit(unfinished(restore)));
    } catch (error) {
      logger.error({ err: error, session: this.state.id }, "a restore of files could not be finished");
    } finally {
      release();
      this.prompts.advance();
    }
  }

  /** Starts the agent unless it runs, and waits until it has told what it offers. Rejects if it cannot be started. */
  async attach(): Promise<void> {
    assertOpen(this.state, this.prompts.hasEnded);
    assertEnvironment(this.state, this.#connection);
    await this.#resting;
    const failure = await this.prompts.attach();
    if (failure) throw failure;
    await this.#offers.known();
    await this.#settings.settled();
    await this.log.durable();
    // It may have been closed meanwhile.
    assertOpen(this.state, this.prompts.hasEnded);
  }

  /** True when a turn was running; with `wanted` only when it was that one. */
  async interrupt(by: string, wanted?: string): Promise<boolean> {
    try {
      if (!this.state.turn && wanted === undefined && this.#isAboutToBegin)
        return await this.prompts.interruptStart(by);
      const { turn } = this.state;
      if (!turn || (wanted !== undefined && wanted !== turn.id)) return false;
      this.#stop(by);
      await this.log.durable();
    } catch (error) {
      // The agent is told to stop all the same; the log records it as soon as it can be written.
      if (!isStoreUnavailable(error)) throw error;
    }
    return true;
  }

  /** A prompt waits only for its agent, its content or a change of settings. */
  get #isAboutToBegin(): boolean {
    return this.#connection.isConnecting || this.prompts.isBeginning || this.#settings.isUnderWay;
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

  /** Takes the conversation back to before a message; the agent forgets too where it can. */
  async rewind(before: string): Promise<{ agentForgot: boolean; seq: number }> {
    assertOpen(this.state, this.prompts.hasEnded);
    assertNoTurn(this.state);
    assertEnvironment(this.state, this.#connection);
    const connection = this.#connection;
    const { rewind, fork } = connection.capabilities;
    // One that has no conversation of its own yet begins as a copy of another.
    if (fork && (connection.rewindsByFork || this.state.continues)) return this.#rewindByFork(before);
    const canForget = rewind && this.state.agentSessionId !== undefined;
    const isToldLater = connection.isGivenHistory && connection.isDisconnected;
    if (isToldLater) return this.#rewindLog(before);
    if (canForget && !connection.hasAgent) await this.prompts.attach();
    assertOpen(this.state, this.prompts.hasEnded);
    assertNoTurn(this.state);
    let agentForgot = canForget && connection.hasAgent;
    this.log.act((machine) => machine.emit({ type: "conversation.rewound", before, agentForgot }));
    const seq = this.state.head;
    if (agentForgot) {
      ({ delivered: agentForgot } = await connection.send({ type: "rewind", before }, this.log.flush()));
      if (!agentForgot) {
        this.log.act((machine) => machine.emit({ type: "session.updated", agentMemory: "none" }));
        await this.#beginAnew("The agent could not be told to forget what was taken back");
      }
    } else if (connection.hasAgent || this.state.agentSessionId !== undefined) {
      await this.#beginAnew(`${this.state.agent} cannot forget what was taken back`);
    }
    await this.log.durable();
    return { agentForgot, seq };
  }

  /** The next agent is given what is left, and there is nobody who could remember more. */
  async #rewindLog(before: string): Promise<{ agentForgot: boolean; seq: number }> {
    const seq = this.state.head + 1;
    this.log.act((machine) => {
      machine.emit({ type: "conversation.rewound", before, agentForgot: true });
      machine.emit({ type: "session.updated", agentMemory: "none" });
    });
    await this.log.durable();
    return { agentForgot: true, seq };
  }

  /** The agent's next conversation begins as a copy of what is left. */
  async #rewindByFork(before: string): Promise<{ agentForgot: boolean; seq: number }> {
    const place = await findRewindPlace(this.#services, this.state.id, before);
    assertOpen(this.state, this.prompts.hasEnded);
    assertNoTurn(this.state);
    const agentForgot = place !== undefined;
    const continues = place === "beginning" ? undefined : place;
    const seq = this.state.head + 1;
    this.log.act((machine) => {
      machine.emit({ type: "conversation.rewound", before, agentForgot });
      machine.emit({ type: "session.updated", agentMemory: "none", continues });
    });
    if (!agentForgot) await this.#beginAnew("It is not known where that is in the agent's own conversation");
    else if (!this.#connection.isDisconnected) await this.rest();
    await this.log.durable();
    return { agentForgot, seq };
  }

  /** Ends an agent that remembers too much. The next one is told what is left. */
  async #beginAnew(reason: string): Promise<void> {
    const text = `${reason}, so it begins a new conversation with the next prompt, and is told what is left of this one.`;
    this.#connection.notice("warning", "rewind", text);
    if (!this.#connection.isDisconnected) await this.rest();
  }

  /** `settle` gives the settings of the change with what follows from them, or refuses them. */
  async update(change: UpdateSession, settle: () => Promise<AgentSettings>): Promise<void> {
    assertNoPlaceholders(change);
    const { env, status, model: _model, mode: _mode, permissionMode: _permissionMode, ...rest } = change;
    const { settings, ...given } = rest;
    const released = Object.keys(settings ?? {}).filter((id) => settings?.[id] === null);
    if (status === undefined) assertOpen(this.state, this.prompts.hasEnded);
    // Before anything is changed: a request that is refused changes nothing.
    if (env !== undefined) assertEnvironmentSize(this.state, env);
    if (Object.keys(givenSettings(change)).length > 0 || released.length > 0)
      await this.#settings.change(settle, released);
    if (env !== undefined) this.#connection.addEnvironment(env);
    using _prepared = await this.prepareMask(given);
    const event = {
      ...maskFreeFields(this.#connection.mask, given),
      ...(env !== undefined && {
        env: [...new Set([...(this.state.env ?? []), ...Object.keys(env)])].sort(),
      }),
    };
    if (Object.keys(event).length > 0) {
      assertOpen(this.state, this.prompts.hasEnded);
      this.log.act((machine) => machine.emit({ type: "session.updated", ...event }));
    }
    if (status === "closed") await this.log.durable(this.close());
    else this.prompts.advance();
    await this.log.durable();
  }

  /** Answers an open ask. False if it is not open (any more): then the store knows how it ended. */
  reply(ask: string, reply: AskReply, by: string): Promise<boolean> {
    return this.#asks.reply(ask, reply, by);
  }

  /** An answer as the log would have it, to compare it with the stored one. */
  storedAnswer(opened: EventOf<"ask.opened">, reply: AskReply): AskAnswer {
    return this.#asks.storedAnswer(opened, reply);
  }

  /** Ends the agent and closes the session for good; its log stays. */
  async close(): Promise<void> {
    if (this.state.closed) return;
    this.prompts.end();
    this.log.act((machine) => {
      for (const { message } of [...this.state.queue]) machine.emit({ type: "prompt.withdrawn", message });
      machine.stopping("owner");
    });
    this.#timers.clearAll();
    await this.#connection.disconnect("closed");
    // One that has begun also ends in the log. One that is only planned is refused.
    if (this.state.restore) await this.#services.inRestore.released(this.state.cwd);
    // It may have been deleted meanwhile, and made anew.
    if (this.log.hasEnded) return;
    void this.checkpoints.stop();
    if (!this.state.closed) this.log.act((machine) => machine.emit({ type: "session.closed" }));
    await this.#connection.dispose();
  }

  /** The daemon stops: the agent is ended and nothing new begins. */
  async stop(error: TurnError): Promise<void> {
    this.prompts.end();
    this.#timers.clearAll();
    await this.#connection.disconnect("closed", error);
    await this.checkpoints.stop();
    // A change whose agent is gone now is kept for the next one, as far as that can be written.
    await this.log.durable(this.#settings.settled()).catch(() => {});
  }

  /** Ends the agent and everything it started. Nothing more is written, for this reason. */
  async destroy(reason: unknown): Promise<void> {
    this.prompts.end();
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
    this.prompts.advance();
  }

  #onHeard(): void {
    this.#offers.check();
    if (this.state.asks.size > 0) this.#asks.watch();
    if (this.state.turn) this.#watch.running();
    else if (this.#watch.noticeEnd()) this.prompts.advance();
  }

  #onGone(): void {
    this.#timers.clearAll();
    this.#watch.forget();
    this.#offers.check();
    // If one is being started, its starter goes on.
    if (!this.#connection.isConnecting) this.prompts.advance();
  }
}

/** Checkpoints have been switched off since. */
function unfinished({ checkpoint }: EventOf<"restore.started">) {
  const error = "Checkpoints are switched off, so it was not finished. Switch them on and restore again.";
  return { type: "checkpoint.restored", checkpoint, error } as const;
}
