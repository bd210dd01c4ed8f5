/**
 * The actor of one live session. Every change goes through its log in the order of the calls; what has to reach the
 * agent leaves after the event that records it is committed.
 */
import type { BackendAdapter } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { TurnError } from "../core/event.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionState } from "../core/session-state.ts";
import { AgentSeat } from "./agent-seat.ts";
import { Alarms } from "./alarms.ts";
import { AskDesk } from "./ask-desk.ts";
import { requestDigest } from "./canonical-json.ts";
import type { AskReply, PromptReceipt, SendPrompt, UpdateSession } from "./engine.ts";
import { errorText } from "./error-text.ts";
import type { Services } from "./services.ts";
import type { SessionLog } from "./session-log.ts";
import { TurnWatch } from "./turn-watch.ts";

export class SessionActor {
  readonly log: SessionLog;
  readonly #services: Services;
  readonly #alarms = new Alarms();
  readonly #seat: AgentSeat;
  readonly #asks: AskDesk;
  readonly #watch: TurnWatch;
  /** Prompts as they were given, while the log has them with secrets masked. */
  readonly #plainParts = new Map<string, PromptPart[]>();
  /** The turn the watch was set for. */
  #watchedTurn: string | undefined;

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
      absent: (reason: string) => this.#onAbsent(reason),
      gone: () => this.#onGone(),
    };
    this.#seat = new AgentSeat(log, adapter, services, events, environment);
    this.#asks = new AskDesk(log, this.#seat, this.#alarms, services.now);
    this.#watch = new TurnWatch({
      state: log.state,
      seat: this.#seat,
      alarms: this.#alarms,
      limits: services.limits,
      now: services.now,
      interrupt: (by) => void this.interrupt(by),
      idle: () => void this.leave("idle"),
    });
  }

  get state(): SessionState {
    return this.log.state;
  }

  /** Whether it can be dropped from memory and loaded again later without anybody noticing. */
  get isAtRest(): boolean {
    const { turn, queue } = this.state;
    return this.#seat.isEmpty && !turn && queue.length === 0 && this.log.isCommitted;
  }

  get isEnvironmentMissing(): boolean {
    return this.#seat.isEnvironmentMissing;
  }

  /** Closes what a dead daemon left open, then goes on with what waits. */
  recover(): void {
    const { state } = this;
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
    this.#advance();
  }

  /** Takes a prompt. The message id is known to be new. */
  async prompt(message: string, prompt: SendPrompt): Promise<PromptReceipt> {
    const { state } = this;
    const busy = state.turn !== undefined || state.queue.length > 0;
    this.#demandAcceptable(prompt, busy);
    const steers = prompt.whenBusy === "steer" && this.#canSteer();
    const { mask } = this.#seat;
    this.log.act((machine) => machine.acceptPrompt(message, mask.value(prompt.parts), prompt.whenBusy));
    const seq = state.head;
    if (!mask.isEmpty) this.#plainParts.set(message, prompt.parts);
    if (steers) this.#dispatch(message, prompt.parts, true);
    else this.#advance();
    // When the agent is ready the turn has begun in the same breath.
    const turn = busy && !steers ? undefined : this.state.turn?.id;
    const receipt: PromptReceipt = {
      message,
      state: steers ? "steered" : busy ? "queued" : "started",
      ...(turn !== undefined && { turn }),
      seq,
    };
    this.log.projector.notePrompt(message, requestDigest({ parts: prompt.parts }), JSON.stringify(receipt));
    await this.log.durable();
    return receipt;
  }

  /** True when a turn was running; with `wanted` only when it was that one. */
  async interrupt(by: string, wanted?: string): Promise<boolean> {
    if (!this.state.turn && wanted === undefined && this.#seat.isFilling) return this.#interruptStart(by);
    const { turn } = this.state;
    if (!turn || (wanted !== undefined && wanted !== turn.id)) return false;
    if (turn.stoppingBy === undefined) {
      this.log.act((machine) => machine.stopping(by));
      void this.#seat.send({ type: "interrupt" }, this.log.flush());
      this.#watch.stopping(turn.id);
    }
    await this.log.durable();
    return true;
  }

  /** The prompt the agent is being started for gets a turn that was stopped before the agent heard of it. */
  async #interruptStart(by: string): Promise<boolean> {
    const next = this.state.queue[0];
    if (!next) return false;
    this.log.act((machine) => {
      machine.dispatch(next.message);
      machine.stopping(by);
      machine.endTurn("interrupted");
    });
    await this.log.durable();
    return true;
  }

  async changeQueued(message: string, parts: PromptPart[]): Promise<void> {
    this.#demandQueued(message);
    const { mask } = this.#seat;
    this.log.act((machine) => machine.emit({ type: "prompt.changed", message, parts: mask.value(parts) }));
    if (!mask.isEmpty) this.#plainParts.set(message, parts);
    await this.log.durable();
  }

  async withdrawQueued(message: string): Promise<void> {
    this.#demandQueued(message);
    this.log.act((machine) => machine.emit({ type: "prompt.withdrawn", message }));
    this.#plainParts.delete(message);
    await this.log.durable();
  }

  /** Takes the conversation back to before a message; the agent forgets too where it can. */
  async rewind(before: string): Promise<{ agentForgot: boolean; seq: number }> {
    this.#demandOpen();
    this.#demandNoTurn();
    const seat = this.#seat;
    const agentForgot = seat.capabilities.rewind && this.state.agentSessionId !== undefined;
    if (agentForgot && !seat.isTaken) await this.#attach();
    this.#demandNoTurn();
    this.log.act((machine) => machine.emit({ type: "conversation.rewound", before, agentForgot }));
    const seq = this.state.head;
    if (!agentForgot) {
      const text = `${this.state.agent} cannot forget: it still remembers what was taken back here.`;
      seat.notice("warning", "rewind", text);
    } else {
      const { delivered } = await seat.send({ type: "rewind", before }, this.log.flush());
      if (!delivered)
        seat.notice("warning", "rewind", "The agent could not be told to forget what was taken back.");
    }
    await this.log.durable();
    return { agentForgot, seq };
  }

  async update(change: UpdateSession): Promise<void> {
    const { env, status, ...rest } = change;
    if (env !== undefined) this.#seat.setEnvironment(env);
    const event = { ...rest, ...(env !== undefined && { env: Object.keys(env).sort() }) };
    if (Object.keys(event).length > 0) {
      this.#demandOpen();
      this.log.act((machine) => machine.emit({ type: "session.updated", ...event }));
    }
    const { model, mode, permissionMode } = rest;
    const concernsAgent = model !== undefined || mode !== undefined || permissionMode !== undefined;
    if (this.#seat.isTaken && concernsAgent) {
      const result = await this.#seat.send(
        { type: "configure", model, mode, permissionMode },
        this.log.flush(),
      );
      if (!result.delivered) {
        this.#seat.notice(
          "warning",
          "configure",
          `The agent did not take the change: ${errorText(result.error)}`,
        );
      }
    }
    if (status === "closed") await this.close();
    else this.#advance();
    await this.log.durable();
  }

  /** Answers an ask that is open. False when it is not open (any more): then the store knows how it ended. */
  async reply(ask: string, reply: AskReply, by: string): Promise<boolean> {
    const replying = this.#asks.reply(ask, reply, by);
    // Some choices also stop the turn.
    if (this.state.turn?.stoppingBy !== undefined) this.#watch.stopping(this.state.turn.id);
    return replying;
  }

  /** Ends the agent and closes the session for good; its log stays. */
  async close(): Promise<void> {
    if (this.state.closed) return;
    this.log.act((machine) => {
      for (const { message } of [...this.state.queue]) machine.emit({ type: "prompt.withdrawn", message });
      machine.stopping("owner");
    });
    await this.leave("closed");
    await this.#seat.clear();
    if (!this.state.closed) this.log.act((machine) => machine.emit({ type: "session.closed" }));
    await this.log.flush();
  }

  /** Ends the agent; the session can go on with another one. */
  async leave(reason: "idle" | "closed", error?: TurnError): Promise<void> {
    this.#alarms.clearAll();
    await this.#seat.leave(reason, error);
    await this.log.flush();
  }

  /** The session is deleted: nothing more is written. */
  async destroy(): Promise<void> {
    this.#alarms.clearAll();
    this.log.discard();
    await this.#seat.clear();
  }

  /** Goes on with the next waiting prompt, if there is one and nothing is running. */
  #advance(): void {
    const { state } = this;
    const seat = this.#seat;
    if (state.closed || seat.isLeaving || state.turn || seat.isEnvironmentMissing) return;
    const next = state.queue[0];
    if (!next) this.#watch.resting();
    else if (seat.isReady) this.#dispatch(next.message, next.parts, false);
    else void this.#attach();
  }

  async #attach(): Promise<void> {
    await this.#seat.attach();
    this.#advance();
  }

  #dispatch(message: string, parts: PromptPart[], steer: boolean): void {
    this.log.act((machine) => machine.dispatch(message, { steer }));
    const turn = this.state.turn?.id;
    const plain = this.#plainParts.get(message) ?? parts;
    this.#plainParts.delete(message);
    this.#seat.lastHeardAt = this.#services.now();
    this.#watchTurn();
    const command = { type: "prompt" as const, message, parts: plain, ...(steer && { steer }) };
    void this.#seat.send(command, this.log.flush()).then((result) => {
      // An agent that is gone has ended the turn by itself.
      if (result.delivered || !this.#seat.isTaken || this.state.turn?.id !== turn) return;
      const reason = `The prompt could not be given to the agent: ${errorText(result.error)}`;
      this.log.act((machine) => machine.endTurn("failed", { code: "not_delivered", message: reason }));
      this.#advance();
    });
  }

  #onHeard(): void {
    if (this.state.asks.size > 0) this.#asks.watch();
    if (this.state.turn) this.#watchTurn();
    else if (this.#watchedTurn !== undefined) {
      this.#watchedTurn = undefined;
      this.#advance();
    }
  }

  /** Sets the watch once per turn, whoever began it. */
  #watchTurn(): void {
    const turn = this.state.turn?.id;
    if (turn === this.#watchedTurn) return;
    this.#watchedTurn = turn;
    this.#watch.running();
  }

  /** The prompt that wanted the agent gets a turn that tells why there is none. */
  #onAbsent(message: string): void {
    const next = this.state.queue[0];
    this.log.act((machine) => {
      if (next) machine.dispatch(next.message);
      machine.endTurn("failed", { code: "agent_failed", message });
    });
  }

  #onGone(): void {
    this.#alarms.clearAll();
    this.#watchedTurn = undefined;
    this.#advance();
  }

  #canSteer(): boolean {
    const { turn } = this.state;
    return this.#seat.isReady && turn !== undefined && turn.stoppingBy === undefined;
  }

  #demandAcceptable(prompt: SendPrompt, busy: boolean): void {
    this.#demandOpen();
    const { state } = this;
    const { capabilities, isEnvironmentMissing, isEmpty } = this.#seat;
    if (isEnvironmentMissing) {
      const remedy = `PATCH /v1/sessions/${state.id} with {"env": {…}} and send the prompt again.`;
      throw new InterlinguaError(
        "env_required",
        `The values of ${state.env?.join(", ")} are not kept on disk. ${remedy}`,
      );
    }
    if (busy && prompt.whenBusy === "reject") {
      throw new InterlinguaError(
        "session_busy",
        'A turn is running. Wait for it, or send whenBusy: "queue".',
      );
    }
    if (prompt.whenBusy === "steer" && !capabilities.steer) {
      throw new InterlinguaError("unsupported", `${state.agent} cannot be steered. Send whenBusy: "queue".`);
    }
    if (!capabilities.images && prompt.parts.some((part) => part.type === "file")) {
      throw new InterlinguaError(
        "unsupported",
        `${state.agent} takes text only. Send the prompt without files.`,
      );
    }
    const { limits, counters } = this.#services;
    if (isEmpty && counters.attachedAgents >= limits.maxLiveAgents) {
      const detail = `${limits.maxLiveAgents} agents are running. Close a session, or raise limits.maxLiveAgents.`;
      throw new InterlinguaError("too_many_sessions", detail, { retryAfterSeconds: 10 });
    }
  }

  #demandOpen(): void {
    if (!this.state.closed) return;
    throw new InterlinguaError(
      "session_closed",
      "The session is closed; its log can still be read. Create a new one.",
    );
  }

  #demandNoTurn(): void {
    if (this.state.turn) throw new InterlinguaError("session_busy", "A turn is running. Interrupt it first.");
  }

  #demandQueued(message: string): void {
    if (this.state.queue.some((queued) => queued.message === message)) return;
    const detail = `Message "${message}" is not waiting: it has begun, was withdrawn or never was.`;
    throw new InterlinguaError("message_not_queued", detail);
  }
}
