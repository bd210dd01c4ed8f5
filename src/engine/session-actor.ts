/**
 * The actor of one live session. Every change goes through its log in the order of the calls; what has to reach the
 * agent leaves after the event that records it is committed.
 */
import type { BackendAdapter } from "../core/adapter.ts";
import type { AskAnswer } from "../core/ask.ts";
import type { EventOf, TurnError } from "../core/event.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionState } from "../core/session-state.ts";
import { AgentSeat } from "./agent-seat.ts";
import { Alarms } from "./alarms.ts";
import { AskDesk } from "./ask-desk.ts";
import { requestDigest } from "./canonical-json.ts";
import type { AskReply, PromptReceipt, SendPrompt, UpdateSession } from "./engine.ts";
import { errorText } from "./error-text.ts";
import type { Services } from "./services.ts";
import {
  demandAcceptable,
  demandEnvironment,
  demandNoTurn,
  demandOpen,
  demandQueued,
} from "./session-demands.ts";
import type { SessionLog } from "./session-log.ts";
import { TurnWatch } from "./turn-watch.ts";

export class SessionActor {
  readonly log: SessionLog;
  readonly #services: Services;
  readonly #alarms = new Alarms();
  readonly #seat: AgentSeat;
  readonly #asks: AskDesk;
  readonly #watch: TurnWatch;
  /** Prompts that are accepted and not committed yet, for requests that are repeated meanwhile. */
  readonly #accepting = new Map<string, { request: string; receipt: PromptReceipt }>();
  /** The session is being closed, or the daemon is stopping: nothing new begins. */
  #isEnding = false;
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
      absent: (error: TurnError) => this.#onAbsent(error),
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
      interrupt: (by) => this.#stop(by),
      idle: () => void this.rest(),
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

  /** Whether its agent runs with nothing to do: no turn, no prompt, nobody asked, no work of its own. */
  get isIdle(): boolean {
    const { turn, queue, asks, tasks } = this.state;
    const isWorking = [...tasks.values()].some((task) => !task.implicit);
    return (
      this.#seat.isReady &&
      !this.#seat.isLeaving &&
      !turn &&
      queue.length === 0 &&
      asks.size === 0 &&
      !isWorking
    );
  }

  /** Whether an agent would have to be started for a prompt. */
  get needsAgent(): boolean {
    return this.#seat.isEmpty;
  }

  /** When its agent was last heard, or spoken to. */
  get lastHeardAt(): number {
    return this.#seat.lastHeardAt;
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
    demandOpen(state, this.#isEnding);
    demandEnvironment(state, this.#seat);
    demandAcceptable(prompt, state, this.#seat, busy);
    const steers = prompt.whenBusy === "steer" && this.#canSteer();
    const { mask } = this.#seat;
    this.log.act((machine) => machine.acceptPrompt(message, mask.value(prompt.parts), prompt.whenBusy));
    const seq = state.head;
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
    const request = requestDigest({ parts: prompt.parts });
    this.log.projector.notePrompt(message, request, JSON.stringify(receipt));
    this.#accepting.set(message, { request, receipt });
    const forget = () => this.#accepting.delete(message);
    this.log.flush().then(forget, forget);
    await this.log.durable();
    return receipt;
  }

  /** A prompt that was accepted a moment ago and is not in the store yet. */
  accepting(message: string): { request: string; receipt: PromptReceipt } | undefined {
    return this.#accepting.get(message);
  }

  /** True when a turn was running; with `wanted` only when it was that one. */
  async interrupt(by: string, wanted?: string): Promise<boolean> {
    if (!this.state.turn && wanted === undefined && this.#seat.isFilling) return this.#interruptStart(by);
    const { turn } = this.state;
    if (!turn || (wanted !== undefined && wanted !== turn.id)) return false;
    this.#stop(by);
    await this.log.durable();
    return true;
  }

  #stop(by: string): void {
    const { turn } = this.state;
    if (!turn || turn.stoppingBy !== undefined) return;
    this.log.act((machine) => machine.stopping(by));
    void this.#seat.send({ type: "interrupt" }, this.log.flush());
    this.#watch.stopping(turn.id);
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
    demandQueued(this.state, message);
    const { mask } = this.#seat;
    this.log.act((machine) => machine.emit({ type: "prompt.changed", message, parts: mask.value(parts) }));
    await this.log.durable();
  }

  async withdrawQueued(message: string): Promise<void> {
    demandQueued(this.state, message);
    this.log.act((machine) => machine.emit({ type: "prompt.withdrawn", message }));
    await this.log.durable();
  }

  /** Takes the conversation back to before a message; the agent forgets too where it can. */
  async rewind(before: string): Promise<{ agentForgot: boolean; seq: number }> {
    demandOpen(this.state, this.#isEnding);
    demandNoTurn(this.state);
    demandEnvironment(this.state, this.#seat);
    const seat = this.#seat;
    const canForget = seat.capabilities.rewind && this.state.agentSessionId !== undefined;
    if (canForget && !seat.isTaken) await this.#attach();
    demandNoTurn(this.state);
    let agentForgot = canForget && seat.isTaken;
    this.log.act((machine) => machine.emit({ type: "conversation.rewound", before, agentForgot }));
    const seq = this.state.head;
    if (agentForgot) {
      ({ delivered: agentForgot } = await seat.send({ type: "rewind", before }, this.log.flush()));
      if (!agentForgot)
        seat.notice("warning", "rewind", "The agent could not be told to forget what was taken back.");
    } else {
      const text = `${this.state.agent} cannot forget: it still remembers what was taken back here.`;
      seat.notice("warning", "rewind", text);
    }
    await this.log.durable();
    return { agentForgot, seq };
  }

  async update(change: UpdateSession): Promise<void> {
    const { env, status, ...given } = change;
    if (status === undefined) demandOpen(this.state, this.#isEnding);
    if (env !== undefined) this.#seat.addEnvironment(env);
    const rest = this.#seat.mask.value(given);
    const concernsAgent = [rest.model, rest.mode, rest.permissionMode].some((value) => value !== undefined);
    // An agent that is being started tells its own settings when it is ready; what is wanted now comes after that.
    if (concernsAgent && this.#seat.isFilling) await this.#seat.attach();
    const event = {
      ...rest,
      ...(env !== undefined && {
        env: [...new Set([...(this.state.env ?? []), ...Object.keys(env)])].sort(),
      }),
    };
    if (Object.keys(event).length > 0) {
      demandOpen(this.state, this.#isEnding);
      this.log.act((machine) => machine.emit({ type: "session.updated", ...event }));
    }
    const { model, mode, permissionMode } = rest;
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

  /** An answer as it would stand in the log, to compare it with the one that does. */
  storedAnswer(opened: EventOf<"ask.opened">, reply: AskReply): AskAnswer {
    return this.#asks.storedAnswer(opened, reply);
  }

  /** Ends the agent and closes the session for good; its log stays. */
  async close(): Promise<void> {
    if (this.state.closed) return;
    this.#isEnding = true;
    this.log.act((machine) => {
      for (const { message } of [...this.state.queue]) machine.emit({ type: "prompt.withdrawn", message });
      machine.stopping("owner");
    });
    this.#alarms.clearAll();
    await this.#seat.leave("closed");
    if (!this.state.closed) this.log.act((machine) => machine.emit({ type: "session.closed" }));
    await this.#seat.clear();
  }

  /** The daemon stops: the agent is ended and nothing new begins. */
  async stop(error: TurnError): Promise<void> {
    this.#isEnding = true;
    this.#alarms.clearAll();
    await this.#seat.leave("closed", error);
  }

  /** Nothing more is written, for this reason; the agent and all it started are ended. */
  async destroy(reason: unknown): Promise<void> {
    this.#isEnding = true;
    this.#alarms.clearAll();
    this.log.end(reason);
    await this.#seat.clear();
  }

  /** Nothing was to do for long: the agent goes, and comes back with the next prompt. */
  async rest(): Promise<void> {
    this.#alarms.clearAll();
    await this.#seat.leave("idle");
    // One may have come meanwhile.
    this.#advance();
  }

  /** Goes on with the next waiting prompt, if there is one and nothing is running. */
  #advance(): void {
    const { state } = this;
    const seat = this.#seat;
    if (state.closed || this.#isEnding || seat.isLeaving || seat.isEnvironmentMissing) return;
    const next = state.queue[0];
    if (state.turn) {
      if (next) this.#watch.outliving(() => this.#overtake());
      return;
    }
    if (!next) this.#watch.resting();
    else if (seat.isReady) this.#dispatch(next.message, next.parts, false);
    else void this.#attach();
  }

  /** The agent's own turn has fallen silent: the prompt that waits now, if there still is one, takes over. */
  #overtake(): void {
    const next = this.state.queue[0];
    if (next && !this.#isEnding) this.#dispatch(next.message, next.parts, false);
  }

  async #attach(): Promise<void> {
    await this.#seat.attach();
    this.#advance();
  }

  #dispatch(message: string, parts: PromptPart[], steer: boolean): void {
    this.log.act((machine) => machine.dispatch(message, { steer }));
    const turn = this.state.turn?.id;
    this.#seat.lastHeardAt = this.#services.now();
    this.#watchTurn();
    const command = {
      type: "prompt" as const,
      message,
      parts: this.#seat.mask.reveal(parts),
      ...(steer && { steer }),
    };
    void this.#seat.send(command, this.log.flush()).then((result) => {
      // An agent that is gone has ended the turn by itself.
      if (result.delivered || !this.#seat.isTaken || this.state.turn?.id !== turn) return;
      const reason = this.#seat.mask.text(
        `The prompt could not be given to the agent: ${errorText(result.error)}`,
      );
      this.log.act((machine) => {
        if (steer) machine.apply({ type: "prompt.returned", message, reason });
        else machine.endTurn("failed", { code: "not_delivered", message: reason });
      });
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
  #onAbsent(error: TurnError): void {
    const next = this.state.queue[0];
    this.log.act((machine) => {
      if (next) machine.dispatch(next.message);
      machine.endTurn("failed", error);
    });
  }

  #onGone(): void {
    this.#alarms.clearAll();
    this.#watchedTurn = undefined;
    // While one is being started, whoever started it goes on.
    if (!this.#seat.isFilling) this.#advance();
  }

  #canSteer(): boolean {
    const { turn } = this.state;
    return this.#seat.isReady && turn !== undefined && turn.stoppingBy === undefined;
  }
}
