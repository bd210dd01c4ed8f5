/**
 * The actor of one live session. Every change goes through its log in the order of the calls; what has to reach the
 * agent leaves through the link after the event that records it is committed.
 */
import type { AgentOutput, BackendAdapter } from "../core/adapter.ts";
import type { Draft } from "../core/draft.ts";
import { InterlinguaError } from "../core/error.ts";
import type { EventOf, TurnError } from "../core/event.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionState } from "../core/session-state.ts";
import { AgentLink } from "./agent-link.ts";
import { Alarms } from "./alarms.ts";
import { answerFor, isSameAnswer, withoutSecrets } from "./ask-answer.ts";
import { attachAgent } from "./attach-agent.ts";
import { requestDigest } from "./canonical-json.ts";
import type { AskReply, PromptReceipt, SendPrompt, UpdateSession } from "./engine.ts";
import { SecretMask } from "./secret-mask.ts";
import type { Services } from "./services.ts";
import type { SessionLog } from "./session-log.ts";
import { truncateOutput } from "./truncate-output.ts";

interface Exit {
  code?: number | null;
  signal?: string | null;
  stderr?: string;
}

type DetachReason = EventOf<"session.detached">["reason"];

export class SessionActor {
  readonly log: SessionLog;
  readonly #services: Services;
  readonly #adapter: BackendAdapter;
  readonly #alarms = new Alarms();
  #environment: Record<string, string> | undefined;
  #mask: SecretMask;
  #link: AgentLink | undefined;
  #attaching: Promise<void> | undefined;
  /** Why we are ending the agent ourselves. */
  #leaving: { reason: DetachReason; error?: TurnError } | undefined;
  #exit: Exit = {};
  /** Which process of the session the link leads to. */
  #generation = 0;
  /** Prompts as they were given, while the log has them with secrets masked. */
  readonly #plainParts = new Map<string, PromptPart[]>();
  /** Asks whose time is up and whose refusal is on its way. */
  readonly #expiring = new Set<string>();
  #lastOutputAt = 0;

  constructor(
    log: SessionLog,
    adapter: BackendAdapter,
    services: Services,
    environment?: Record<string, string>,
  ) {
    this.log = log;
    this.#adapter = adapter;
    this.#services = services;
    this.#environment = environment;
    this.#mask = new SecretMask(environment ?? {});
    log.machine.saysTaken = adapter.capabilities.reportsSteering;
  }

  get state(): SessionState {
    return this.log.state;
  }

  /** Whether it can be dropped from memory and loaded again later without anybody noticing. */
  get isAtRest(): boolean {
    return (
      !this.#link &&
      !this.#attaching &&
      !this.state.turn &&
      this.state.queue.length === 0 &&
      this.log.isCommitted
    );
  }

  get isEnvironmentMissing(): boolean {
    return (this.state.env?.length ?? 0) > 0 && this.#environment === undefined;
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
    this.#demandOpen();
    if (this.isEnvironmentMissing) throw environmentMissing(this.state);
    const { state } = this;
    const busy = state.turn !== undefined || state.queue.length > 0;
    if (busy && prompt.whenBusy === "reject") {
      throw new InterlinguaError(
        "session_busy",
        'A turn is running. Wait for it, or send whenBusy: "queue".',
      );
    }
    if (prompt.whenBusy === "steer" && !this.#adapter.capabilities.steer) {
      throw new InterlinguaError("unsupported", `${state.agent} cannot be steered. Send whenBusy: "queue".`);
    }
    if (!this.#adapter.capabilities.images && prompt.parts.some((part) => part.type === "file")) {
      throw new InterlinguaError(
        "unsupported",
        `${state.agent} takes text only. Send the prompt without files.`,
      );
    }
    if (!busy && !this.#link) this.#demandPlace();
    const steers = prompt.whenBusy === "steer" && this.#canSteer();
    let receipt: PromptReceipt | undefined;
    this.log.act((machine) => {
      machine.acceptPrompt(message, this.#mask.value(prompt.parts), prompt.whenBusy);
      receipt = { message, state: steers ? "steered" : busy ? "queued" : "started", seq: state.head };
    });
    if (!this.#mask.isEmpty) this.#plainParts.set(message, prompt.parts);
    if (steers) this.#dispatch(message, prompt.parts, true);
    else this.#advance();
    // When the agent is ready the turn has begun in the same breath.
    const turn = receipt?.state === "queued" ? undefined : this.state.turn?.id;
    const answer: PromptReceipt = { ...receipt!, ...(turn !== undefined && { turn }) };
    this.log.projector.notePrompt(message, requestDigest({ parts: prompt.parts }), JSON.stringify(answer));
    await this.log.durable();
    return answer;
  }

  async interrupt(by: string): Promise<boolean> {
    const { turn } = this.state;
    if (!turn) return false;
    if (turn.stoppingBy === undefined) {
      this.log.act((machine) => machine.stopping(by));
      this.#tellToStop(turn.id);
    }
    await this.log.durable();
    return true;
  }

  async changeQueued(message: string, parts: PromptPart[]): Promise<void> {
    this.#demandQueued(message);
    this.log.act((machine) =>
      machine.emit({ type: "prompt.changed", message, parts: this.#mask.value(parts) }),
    );
    if (!this.#mask.isEmpty) this.#plainParts.set(message, parts);
    await this.log.durable();
  }

  async withdrawQueued(message: string): Promise<void> {
    this.#demandQueued(message);
    this.log.act((machine) => machine.emit({ type: "prompt.withdrawn", message }));
    this.#plainParts.delete(message);
    await this.log.durable();
  }

  async rewind(before: string): Promise<{ agentForgot: boolean; seq: number }> {
    this.#demandOpen();
    if (this.state.turn) throw new InterlinguaError("session_busy", "A turn is running. Interrupt it first.");
    const agentForgot = this.#adapter.capabilities.rewind && this.state.agentSessionId !== undefined;
    if (agentForgot && !this.#link) await this.#attach();
    if (this.state.turn)
      throw new InterlinguaError("session_busy", "A turn has just begun. Interrupt it first.");
    this.log.act((machine) => {
      machine.emit({ type: "conversation.rewound", before, agentForgot });
      if (agentForgot) return;
      const text = `${this.state.agent} cannot forget: it still remembers what was taken back here.`;
      machine.emit({ type: "notice", level: "warning", code: "rewind", text });
    });
    const seq = this.state.head;
    if (agentForgot) {
      const result = await this.#link?.send({ type: "rewind", before }, this.log.flush());
      if (!result?.delivered)
        this.#notice("warning", "rewind", "The agent could not be told to forget what was taken back.");
    }
    await this.log.durable();
    return { agentForgot, seq };
  }

  async update(change: UpdateSession): Promise<void> {
    const { env, status, ...rest } = change;
    if (env !== undefined) {
      this.#environment = env;
      this.#mask = new SecretMask(env);
    }
    const event = { ...rest, ...(env !== undefined && { env: Object.keys(env).sort() }) };
    if (Object.keys(event).length > 0) {
      this.#demandOpen();
      this.log.act((machine) => machine.emit({ type: "session.updated", ...event }));
    }
    const { model, mode, permissionMode } = rest;
    if (this.#link && (model !== undefined || mode !== undefined || permissionMode !== undefined)) {
      const result = await this.#link.send(
        { type: "configure", model, mode, permissionMode },
        this.log.flush(),
      );
      if (!result.delivered)
        this.#notice("warning", "configure", `The agent did not take the change: ${textOf(result.error)}`);
    }
    if (status === "closed") await this.close();
    else this.#advance();
    await this.log.durable();
  }

  /** Answers an ask that is open. False when it is not open (any more): then the store knows how it ended. */
  async reply(ask: string, reply: AskReply, by: string): Promise<boolean> {
    const open = this.state.asks.get(ask);
    if (!open || this.#expiring.has(ask)) return false;
    const answer = answerFor(open.opened, reply);
    const stored = this.#mask.value(withoutSecrets(open.opened, answer));
    if (open.answered) {
      await this.log.durable();
      if (isSameAnswer(open.answered, stored)) return true;
      throw alreadyAnswered(open.answered);
    }
    this.log.act((machine) => machine.answerAsk(ask, stored, by));
    this.#alarms.clear(`ask ${ask}`);
    const { effect } = this.state.asks.get(ask)?.answered ?? {};
    const committed = this.log.flush();
    const sent = this.#link?.send(
      { type: "reply", ask: open.opened.native ?? ask, ...answer, effect },
      committed,
    );
    void sent?.then(({ delivered }) =>
      this.log.act((machine) => machine.closeAsk(ask, "answered", delivered)),
    );
    if (this.state.turn?.stoppingBy !== undefined) this.#watchStop(this.state.turn.id);
    await this.log.durable();
    return true;
  }

  /** Ends the agent and closes the session for good; its log stays. */
  async close(): Promise<void> {
    if (this.state.closed) return;
    this.log.act((machine) => {
      for (const { message } of [...this.state.queue]) machine.emit({ type: "prompt.withdrawn", message });
      if (this.state.turn) machine.stopping("owner");
    });
    await this.leave("closed");
    await this.#adapter.release(this.state.id);
    if (!this.state.closed) this.log.act((machine) => machine.emit({ type: "session.closed" }));
    await this.log.flush();
  }

  /** Ends the agent. What it has said until then is still heard; what it leaves open is closed. */
  async leave(reason: DetachReason, error?: TurnError): Promise<void> {
    this.#alarms.clearAll();
    this.#leaving = { reason, error };
    await this.#attaching;
    const link = this.#link;
    await link?.close({ keepChildren: reason === "idle" });
    await link?.finished;
    // Without an agent there may still be a turn: one that failed to start is over, one it never had is not.
    this.log.act((machine) => machine.endTurn("interrupted", error));
    this.#leaving = undefined;
    await this.log.flush();
  }

  /** The session is deleted: nothing more is written. */
  async destroy(): Promise<void> {
    this.#alarms.clearAll();
    this.#leaving = { reason: "closed" };
    this.log.discard();
    await this.#attaching;
    await this.#link?.close();
    await this.#adapter.release(this.state.id);
  }

  /** Goes on with the next waiting prompt, if there is one and nothing is running. */
  #advance(): void {
    const { state } = this;
    if (state.closed || this.#leaving || state.turn || this.isEnvironmentMissing) return;
    const next = state.queue[0];
    if (!next) return this.#rest();
    this.#alarms.clear("idle");
    if (this.#link && !this.#attaching) this.#dispatch(next.message, next.parts, false);
    else void this.#attach();
  }

  #dispatch(message: string, parts: PromptPart[], steer: boolean): void {
    const link = this.#link;
    if (!link) return;
    this.log.act((machine) => machine.dispatch(message, { steer }));
    const turn = this.state.turn?.id;
    const plain = this.#plainParts.get(message) ?? parts;
    this.#plainParts.delete(message);
    this.#lastOutputAt = this.#services.now();
    if (!steer) this.#watchQuiet();
    void link
      .send({ type: "prompt", message, parts: plain, ...(steer && { steer }) }, this.log.flush())
      .then((result) => {
        if (result.delivered || this.#link !== link || link.isOver || this.state.turn?.id !== turn) return;
        const error = {
          code: "not_delivered",
          message: `The prompt could not be given to the agent: ${textOf(result.error)}`,
        };
        this.log.act((machine) => machine.endTurn("failed", error));
        this.#advance();
      });
  }

  #attach(): Promise<void> {
    this.#attaching ??= this.#connect().finally(() => {
      this.#attaching = undefined;
      this.#advance();
    });
    return this.#attaching;
  }

  async #connect(): Promise<void> {
    this.#alarms.clear("unload");
    try {
      const attachment = await attachAgent(this.#adapter, this.state, this.#environment);
      this.#exit = {};
      this.#generation = this.state.generation + 1;
      this.#services.counters.attachedAgents += 1;
      const link: AgentLink = new AgentLink(attachment.session, {
        output: (output) => this.#onOutput(output),
        ended: (error) => this.#onEnded(link, error),
        room: () => this.#services.commit.room(),
      });
      this.#link = link;
      await this.#settleIn(link, attachment.resumed);
      if (attachment.resumeProblem !== undefined) {
        const text = `The agent does not remember the conversation so far: ${attachment.resumeProblem}.`;
        this.#notice("warning", "resume", text);
      }
    } catch (error) {
      this.#failToStart(error);
    }
  }

  /** Agents that tell about themselves while connecting have done so by now; for the others we say that it began. */
  async #settleIn(link: AgentLink, resumed: boolean): Promise<void> {
    for (let round = 0; round < 3 && !this.state.attached && !link.isOver; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.state.attached || link.isOver) return;
    this.log.act((machine) => machine.apply({ type: "session.attached", ...(resumed && { resumed }) }));
  }

  /** The prompt that wanted the agent gets a turn that tells why there is none. */
  #failToStart(error: unknown): void {
    this.#services.logger.warn({ session: this.state.id, agent: this.state.agent }, "agent did not start");
    const message = this.#mask.text(textOf(error));
    const next = this.state.queue[0];
    this.log.act((machine) => {
      if (next) machine.dispatch(next.message);
      machine.endTurn("failed", { code: "agent_failed", message });
    });
  }

  #onOutput({ raw, drafts }: AgentOutput): void {
    this.#lastOutputAt = this.#services.now();
    const record = this.#mask.isEmpty ? raw : { ...raw, data: this.#mask.value(raw.data) };
    const rawSeq = this.log.record(record as typeof raw, this.#generation);
    if (raw.direction === "process" && raw.data.event === "exit") this.#exit = raw.data as Exit;
    const turn = this.state.turn?.id;
    this.log.act((machine) => {
      for (const draft of drafts) {
        for (const masked of this.#mask.draft(draft)) machine.apply(this.#limit(masked), rawSeq);
      }
    });
    this.#watchAsks(drafts);
    if (turn !== undefined && this.state.turn === undefined) this.#advance();
    else if (this.state.turn && turn === undefined) this.#watchQuiet();
  }

  /** Keeps an event within bounds, and gives an ask its time. */
  #limit(draft: Draft): Draft {
    const { limits } = this.#services;
    if (draft.type === "tool.output" || draft.type === "tool.amended") {
      return { ...draft, ...truncateOutput(draft.output, limits.maxToolOutputBytes) } as Draft;
    }
    if (draft.type === "ask.opened" && draft.expiresAt === undefined && limits.askTimeoutMs > 0) {
      return { ...draft, expiresAt: this.#services.now() + limits.askTimeoutMs };
    }
    if (draft.type === "agent.unknown") this.#services.counters.unknownNative += 1;
    return draft;
  }

  #watchAsks(drafts: readonly Draft[]): void {
    if (!drafts.some((draft) => draft.type === "ask.opened")) return;
    for (const [ask, { opened }] of this.state.asks) {
      if (opened.expiresAt === undefined) continue;
      this.#alarms.set(`ask ${ask}`, Math.max(1, opened.expiresAt - this.#services.now()), () =>
        this.#expire(ask),
      );
    }
  }

  /** Nobody answered in time: the agent is told no. */
  #expire(ask: string): void {
    const open = this.state.asks.get(ask);
    if (!open || open.answered || !this.#link) return;
    this.#expiring.add(ask);
    const decline = answerFor(
      { ...open.opened, kind: "question" },
      { reply: "reject", message: "Nobody answered in time." },
    );
    const native = open.opened.native ?? ask;
    void this.#link
      .send({ type: "reply", ask: native, effect: "reject", ...decline }, this.log.flush())
      .then(({ delivered }) => {
        this.#expiring.delete(ask);
        this.log.act((machine) => machine.closeAsk(ask, "expired", delivered));
      });
  }

  #onEnded(link: AgentLink, error: unknown): void {
    this.#services.counters.attachedAgents -= 1;
    if (this.#link !== link) return;
    this.#link = undefined;
    const { code, signal, stderr } = this.#exit;
    const clean = code === 0 && !this.state.turn;
    this.log.act((machine) => {
      if (this.#leaving) machine.endTurn("interrupted", this.#leaving.error);
      const message = this.#mask.text(exitText(code, signal, stderr, error));
      machine.endTurn("failed", { code: "agent_exited", message });
      const reason = this.#leaving?.reason ?? (clean ? "exit" : "crash");
      machine.detach(reason, { code: code ?? null, signal: signal ?? null });
    });
    this.#alarms.clearAll();
    this.#advance();
  }

  #canSteer(): boolean {
    const { turn } = this.state;
    return this.#link !== undefined && turn !== undefined && turn.stoppingBy === undefined;
  }

  #tellToStop(turn: string): void {
    void this.#link?.send({ type: "interrupt" }, this.log.flush());
    this.#watchStop(turn);
  }

  /** An agent that does not stop in time is ended. */
  #watchStop(turn: string): void {
    this.#alarms.set("stop", this.#services.limits.stopGraceMs, () => {
      if (this.state.turn?.id !== turn) return;
      this.#notice("warning", "stop", "The agent did not stop in time; its process was ended.");
      void this.#link?.close();
    });
  }

  /** Tells when a running turn has been silent for long, and stops it if that is wanted. */
  #watchQuiet(): void {
    const { turnQuietMs, turnQuietStopMs } = this.#services.limits;
    this.#armQuiet("quiet", turnQuietMs, (minutes) =>
      this.#notice("warning", "quiet", `Nothing was heard from the agent for ${minutes}.`),
    );
    this.#armQuiet(
      "quiet stop",
      turnQuietStopMs,
      () => void this.interrupt("daemon: the turn was silent for too long"),
    );
  }

  #armQuiet(name: string, limit: number, act: (silence: string) => void): void {
    this.#alarms.set(name, limit, () => {
      if (!this.state.turn) return;
      const silence = this.#services.now() - this.#lastOutputAt;
      const isWaiting = this.state.asks.size > 0;
      if (silence >= limit && !isWaiting) return act(`${Math.round(silence / 1000)} seconds`);
      this.#armQuiet(name, isWaiting ? limit : limit - silence, act);
    });
  }

  /** Nothing to do: after a while the agent may go. Tasks of its own keep it. */
  #rest(): void {
    for (const name of ["stop", "quiet", "quiet stop"]) this.#alarms.clear(name);
    if (!this.#link) return;
    this.#alarms.set("idle", this.#services.limits.idleDetachMs, () => {
      const isWorking = [...this.state.tasks.values()].some((task) => !task.implicit);
      if (this.state.turn || this.state.queue.length > 0 || isWorking) return this.#rest();
      void this.leave("idle");
    });
  }

  #notice(level: "info" | "warning" | "error", code: string, text: string): void {
    this.log.act((machine) => machine.apply({ type: "notice", level, code, text: this.#mask.text(text) }));
  }

  #demandOpen(): void {
    if (this.state.closed) {
      throw new InterlinguaError(
        "session_closed",
        "The session is closed; its log can still be read. Create a new one.",
      );
    }
  }

  #demandPlace(): void {
    const { limits, counters } = this.#services;
    if (counters.attachedAgents < limits.maxLiveAgents) return;
    const detail = `${limits.maxLiveAgents} agents are running. Close a session, or raise limits.maxLiveAgents.`;
    throw new InterlinguaError("too_many_sessions", detail, { retryAfterSeconds: 10 });
  }

  #demandQueued(message: string): void {
    if (this.state.queue.some((queued) => queued.message === message)) return;
    throw new InterlinguaError(
      "message_not_queued",
      `Message "${message}" is not waiting: it has begun, was withdrawn or never was.`,
    );
  }
}

export function alreadyAnswered(winner: EventOf<"ask.answered">): InterlinguaError {
  const { option, answers, message, input, by } = winner;
  return new InterlinguaError("ask_answered", "Somebody answered first; their answer stands.", {
    answer: { option, answers, message, input, by },
  });
}

function environmentMissing(state: SessionState): InterlinguaError {
  const names = state.env?.join(", ");
  return new InterlinguaError(
    "env_required",
    `The values of ${names} are not kept on disk. PATCH /v1/sessions/${state.id} with {"env": {…}} and send the prompt again.`,
  );
}

function exitText(code?: number | null, signal?: string | null, stderr?: string, error?: unknown): string {
  const how = signal ? `was ended by ${signal}` : code == null ? "is gone" : `exited with code ${code}`;
  const why = error === undefined ? "" : ` (${textOf(error)})`;
  const last = stderr?.trim() ? ` It last said: ${stderr.trim()}` : "";
  return `The agent ${how}${why} before its turn ended.${last}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
