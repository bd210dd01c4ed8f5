/**
 * The session machine: turns what happened (drafts from a translator, acts of people and of the engine) into a
 * well-formed log. It closes what the agent leaves open, opens what it forgot to open, and gives every event its
 * place and its ids. It does no I/O; the same machine serves the live actor and replay.
 */
import { type AskAnswer, DECLINE } from "./ask.ts";
import type { Draft } from "./draft.ts";
import type { EventBody, EventOf, EventType, SessionEvent, TurnError, TurnOutcome } from "./event.ts";
import { evolve } from "./evolve.ts";
import { applyDraft } from "./machine/apply-draft.ts";
import { closeTask, endImplicitTasks } from "./machine/close-task.ts";
import { closeAsk, closeTurn } from "./machine/close-turn.ts";
import { markStopped } from "./machine/mark-stopped.ts";
import type { PromptPart } from "./prompt-part.ts";
import type { OpenPart, SessionState } from "./session-state.ts";

/** The clock and the ids, which the machine must not make up. */
export interface MachineSources {
  now(): number;
  /** A new id for an assistant or system message. */
  messageId(): string;
}

type PartDelta = EventOf<"text.delta" | "reasoning.delta">;

export class SessionMachine {
  readonly state: SessionState;
  readonly #sources: MachineSources;
  #events: SessionEvent[] = [];
  #raw: number | undefined;
  /** Whether this agent reports where steps begin. If so, steering waits for the next step. */
  showsSteps = false;
  /** Whether this agent reports when it takes up a steered prompt. If so, nothing else counts as a sign of it. */
  saysTaken = false;
  /** The steered prompt the agent said it acts on; its answer begins as soon as nothing is open. */
  steeringTaken: string | undefined;
  /** The kinds of which too many were open, each reported once. */
  readonly full = new Set<string>();
  /** Why the open step ended, when it could not be closed yet because a result was missing. */
  stepReason: string | undefined;

  constructor(state: SessionState, sources: MachineSources) {
    this.state = state;
    this.#sources = sources;
  }

  /** The events made since the last call, in order. */
  take(): SessionEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The seq the next event will have; ids of parts, calls, asks, turns and tasks are made from it. */
  get nextSeq(): number {
    return this.state.head + 1;
  }

  now(): number {
    return this.#sources.now();
  }

  newMessageId(): string {
    return this.#sources.messageId();
  }

  emit(body: EventBody, at = this.#sources.now()): void {
    const stamp: { session: string; seq: number; at: number; raw?: number } = {
      session: this.state.id,
      seq: this.state.head + 1,
      at,
    };
    if (this.#raw !== undefined) stamp.raw = this.#raw;
    const event = Object.assign(stamp, body) as SessionEvent;
    if (namesSpeaker(event)) event.agent ??= this.state.agent;
    markStopped(this.state, event);
    this.#events.push(event);
    evolve(this.state, event);
  }

  /** Content from now on belongs to a new message of the assistant. */
  startMessage(turn: string, replyTo: string): void {
    const { model } = this.state;
    this.emit({ type: "message.started", turn, message: this.newMessageId(), model, replyTo });
  }

  /** Emits the most frequent event as one literal: copying fields would cost more than everything else. */
  emitDelta(type: PartDelta["type"], open: OpenPart, part: string, delta: string): void {
    const { state } = this;
    const event = {
      session: state.id,
      seq: state.head + 1,
      at: this.#sources.now(),
      raw: this.#raw,
      type,
      turn: open.inTurn ? state.turn?.id : undefined,
      message: open.message,
      parent: open.parent,
      task: open.task,
      part,
      delta,
    };
    this.#events.push(event);
    evolve(state, event);
  }

  /** What the agent said, translated. `raw` names the record it came from. */
  apply(draft: Draft, raw?: number): void {
    this.from(raw, () => applyDraft(this, draft));
  }

  /** Marks every event that `act` makes with that raw record. */
  from(raw: number | undefined, act: () => void): void {
    this.#raw = raw;
    try {
      act();
    } finally {
      this.#raw = undefined;
    }
  }

  create(body: Omit<EventOf<"session.created">, "session" | "seq" | "at" | "type">): void {
    this.emit({ type: "session.created", ...body });
  }

  /** `receipt` is the client's answer. */
  acceptPrompt(
    message: string,
    parts: PromptPart[],
    whenBusy: "queue" | "steer" | "reject",
    {
      receipt,
      settings,
      by,
      author,
      continuesTurn,
    }: Pick<EventOf<"prompt.accepted">, "receipt" | "settings" | "by" | "author" | "continuesTurn"> = {},
  ): void {
    this.emit({
      ...{ type: "prompt.accepted", message, parts, whenBusy, settings, receipt, by, author },
      ...(continuesTurn !== undefined && { continuesTurn }),
    });
  }

  /**
   * Takes a waiting prompt into a new turn, or into the running one when `steer` is set. `checkpoint` is of the files before
   * the agent gets it, `note` what it is told before.
   */
  dispatch(message: string, options: { steer?: boolean; checkpoint?: string; note?: string } = {}): void {
    if (options.steer && this.state.turn) {
      this.emit({ type: "prompt.dispatched", turn: this.state.turn.id, message, steered: true });
      return;
    }
    // An agent that works by itself and never says that it is done must not hold up a person.
    closeTurn(this, "completed");
    endImplicitTasks(this);
    const turn = `t${this.nextSeq}`;
    this.emit({ type: "turn.started", turn, origin: "user" });
    const { checkpoint, note } = options;
    this.emit({ type: "prompt.dispatched", turn, message, checkpoint, note });
    this.startMessage(turn, message);
  }

  stopping(by: string): void {
    const { turn, asks } = this.state;
    if (!turn || turn.stoppingBy !== undefined) return;
    this.emit({ type: "turn.stopping", turn: turn.id, by });
    // Nothing is approved after a stop.
    for (const [ask, { opened, answered }] of [...asks]) {
      if (opened.turn !== undefined && !answered) closeAsk(this, ask, "cancelled", false);
    }
  }

  /** `expired` for the answer the daemon gives in place of a person. */
  answerAsk(ask: string, answer: AskAnswer, by: string, expired?: true): void {
    const open = this.state.asks.get(ask);
    if (!open || open.answered) return;
    const option = open.opened.options.find((offered) => offered.id === answer.option);
    const effect = option?.effect ?? (answer.option === DECLINE ? "reject" : undefined);
    // Without the message of the ask: in an answer that is what the person said.
    const { turn, parent, task } = open.opened;
    this.emit({ type: "ask.answered", ask, ...answer, effect, by, expired, turn, parent, task });
    if (option?.stops) this.stopping(by);
  }

  /** Closes an ask, and with it the call it was about when a person declined it. */
  closeAsk(ask: string, outcome: "answered" | "cancelled" | "expired", delivered: boolean): void {
    closeAsk(this, ask, outcome, delivered);
  }

  /** Ends the open turn, whatever is open in it. Does nothing without one. */
  endTurn(outcome: TurnOutcome, error?: TurnError, delivery?: "known" | "unknown"): void {
    closeTurn(this, outcome, error, { delivery });
  }

  /** The process is gone: its turn, its background work and its asks end with it. */
  detach(
    reason: EventOf<"session.detached">["reason"],
    exit: { code?: number | null; signal?: string | null } = {},
  ): void {
    const { state } = this;
    closeTurn(this, "failed", { code: "agent_exited", message: "The agent's process ended." });
    for (const task of [...state.tasks.keys()])
      closeTask(this, task, { outcome: "lost" }, "the agent is gone");
    if (state.attached) this.emit({ type: "session.detached", reason, ...exit });
  }
}

type SpeakerEvent = EventOf<(`session.${string}` & EventType) | "turn.started" | "message.started">;

/** Whether readers learn from it who speaks. */
function namesSpeaker(event: SessionEvent): event is SpeakerEvent {
  return (
    event.type.startsWith("session.") || event.type === "turn.started" || event.type === "message.started"
  );
}
