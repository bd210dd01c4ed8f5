/**
 * The rules of a well-formed log, as code. Every recording, every random stream and every test log goes through it.
 * A prefix of a well-formed log is well-formed; `complete` also requires that nothing is left open.
 */
import { ContentCheck, type TurnPlace } from "./check-content.ts";
import type { EventOf, SessionEvent } from "./event.ts";
import { isCutOff } from "./is-cut-off.ts";
import { isLabelChange } from "./is-label-change.ts";
import { addCost, addUsage, type TokenUsage } from "./usage.ts";

/** An event that breaks a rule. */
export interface LogProblem {
  seq: number;
  rule: string;
}

/**
 * Finds every event that breaks a rule. An empty list means that the log is well formed.
 *
 * @example
 * checkLog(events, { complete: true }); // => []
 */
export function checkLog(
  events: readonly SessionEvent[],
  options: { complete?: boolean } = {},
): LogProblem[] {
  const check = new LogCheck();
  for (const event of events) check.add(event);
  if (options.complete) check.finish();
  return check.problems;
}

interface Turn extends TurnPlace {
  steps: number;
  usage: TokenUsage;
  cost?: number;
}

class LogCheck {
  readonly problems: LogProblem[] = [];
  readonly #content = new ContentCheck((holds, rule) => this.#expect(holds, rule));
  #seq = 0;
  #session: string | undefined;
  #isClosed = false;
  #isAttached = false;
  #generation = 0;
  #turn: Turn | undefined;
  readonly #turns = new Set<string>();
  /** Turns that ended because what ran them was gone, and that no prompt continues. */
  readonly #cutOff = new Set<string>();
  readonly #prompts = new Map<string, "waiting" | "withdrawn" | "dispatched">();
  /** Waiting prompts that are held. */
  readonly #held = new Set<string>();
  /** The history, in order. */
  readonly #messages = new Set<string>();
  #lastRole: "user" | "assistant" | "system" | undefined;
  readonly #checkpoints = new Set<string>();
  #isRestoring = false;
  #isQueueHeld = false;

  add(event: SessionEvent): void {
    const expected = this.#seq + 1;
    this.#seq = event.seq;
    this.#expect(event.seq === expected, `seq is ${event.seq}, expected ${expected}`);
    const isFirst = this.#session === undefined;
    this.#session ??= event.session;
    this.#expect(event.session === this.#session, "all events of a log are of one session");
    this.#expect(isFirst === (event.type === "session.created"), "a log begins with session.created, once");
    this.#expect(
      !this.#isClosed || isLabelChange(event),
      "nothing follows session.closed but a title, pinned or archived",
    );
    if (event.turn !== undefined && event.type !== "turn.started") {
      this.#expect(event.turn === this.#turn?.id, "an event that names a turn stands inside it");
    }
    this.#content.add(event, this.#turn);
    this.#addSession(event);
    this.#addPrompt(event);
    this.#addTurn(event);
    this.#addCheckpoint(event);
  }

  finish(): void {
    this.#expect(this.#turn === undefined, "every turn ends");
    this.#expect(!this.#isRestoring, "every restore ends");
    this.#content.finish();
  }

  #expect(holds: boolean, rule: string): void {
    if (!holds) this.problems.push({ seq: this.#seq, rule });
  }

  #addSession(event: SessionEvent): void {
    switch (event.type) {
      case "session.attached":
        this.#expect(!this.#isAttached, "an attached session is not attached again");
        this.#expect(event.generation > this.#generation, "each attachment has a new generation");
        this.#isAttached = true;
        this.#generation = event.generation;
        return;
      case "session.updated":
        this.#isQueueHeld = event.queueHeld ?? this.#isQueueHeld;
        return;
      case "session.detached":
        this.#expect(this.#isAttached, "only an attached session is detached");
        this.#expect(this.#turn === undefined, "a turn ends before its agent is detached");
        this.#expect(!this.#content.hasOpenTasks, "tasks end before their agent is detached");
        this.#isAttached = false;
        return;
      case "session.closed":
        this.#expect(this.#turn === undefined, "a turn ends before its session is closed");
        this.#isClosed = true;
        return;
      case "conversation.rewound":
        this.#expect(this.#turn === undefined, "a conversation is rewound between turns");
        this.#expect(this.#messages.has(event.before), "a conversation is rewound to before a known message");
        this.#forgetFrom(event.before);
        // What was before that message is not tracked: any role may follow.
        this.#lastRole = undefined;
    }
  }

  #addPrompt(event: SessionEvent): void {
    switch (event.type) {
      case "prompt.accepted":
        this.#expect(!this.#prompts.has(event.message), "a prompt is accepted once");
        this.#prompts.set(event.message, "waiting");
        if (event.continuesTurn !== undefined)
          this.#expect(this.#cutOff.delete(event.continuesTurn), "a turn that was cut off is continued once");
        return;
      case "prompt.changed":
        return this.#expect(this.#isWaiting(event), "only a waiting prompt is changed");
      case "prompt.moved": {
        this.#expect(this.#isWaiting(event), "only a waiting prompt is moved");
        const { before } = event;
        const isPlace =
          before === undefined || (before !== event.message && this.#isWaiting({ message: before }));
        return this.#expect(isPlace, "a prompt is moved to before another that waits");
      }
      case "prompt.held":
        this.#expect(this.#isWaiting(event), "only a waiting prompt is held or released");
        this.#expect(
          this.#held.has(event.message) !== event.held,
          "a prompt is held once, and then released",
        );
        if (event.held) this.#held.add(event.message);
        else this.#held.delete(event.message);
        return;
      case "prompt.withdrawn":
        this.#expect(this.#isWaiting(event), "only a waiting prompt is withdrawn");
        this.#prompts.set(event.message, "withdrawn");
        this.#held.delete(event.message);
        return;
      case "prompt.dispatched":
        this.#expect(this.#isWaiting(event), "a prompt is dispatched once, after it was accepted");
        this.#prompts.set(event.message, "dispatched");
        this.#expect(!this.#isRestoring, "no prompt is dispatched while files are restored");
        this.#expect(!this.#isQueueHeld, "no prompt is dispatched while those that wait are held");
        this.#expect(!this.#held.has(event.message), "a held prompt is not dispatched");
        if (event.checkpoint !== undefined) this.#expectCheckpoint(event.checkpoint);
        return this.#addMessage(event.message, "user");
      case "prompt.received":
        return this.#expect(this.#isDispatched(event), "only a dispatched prompt is received");
      case "prompt.returned":
        this.#expect(this.#isDispatched(event), "only a dispatched prompt is returned");
        this.#prompts.set(event.message, "waiting");
        this.#messages.delete(event.message);
    }
  }

  #addTurn(event: SessionEvent): void {
    switch (event.type) {
      case "turn.started":
        this.#expect(this.#turn === undefined, "turns do not overlap");
        this.#expect(!this.#turns.has(event.turn), "a turn starts once");
        this.#turns.add(event.turn);
        this.#turn = { id: event.turn, steps: 0, usage: {} };
        return;
      case "message.system":
        return this.#addMessage(event.message, "system");
      case "message.started":
        this.#expect(this.#messages.has(event.replyTo), "an assistant message answers a known message");
        this.#expect(this.#lastRole !== "assistant", "two assistant messages are never adjacent");
        this.#expect(
          !this.#content.hasOpenInTurn,
          "a message begins when nothing of the one before it is open",
        );
        if (this.#turn) this.#turn.message = event.message;
        return this.#addMessage(event.message, "assistant");
      case "step.started":
        this.#expect(this.#turn?.step === undefined, "steps do not overlap");
        this.#expect(event.step === (this.#turn?.steps ?? 0) + 1, "steps are numbered from 1");
        if (this.#turn) Object.assign(this.#turn, { step: event.step, steps: event.step });
        return;
      case "step.ended":
        this.#expect(this.#turn?.step === event.step, "the step that ends is the open one");
        this.#expect(!this.#content.hasOpenInTurn, "a step ends after its parts and tool results");
        if (this.#turn) this.#turn.step = undefined;
        return;
      case "usage":
        if (!this.#turn || event.turn === undefined) return;
        this.#turn.usage = addUsage(this.#turn.usage, event);
        this.#turn.cost = addCost(this.#turn.cost, event.cost);
        return;
      case "turn.ended":
        return this.#endTurn(event);
    }
  }

  #addCheckpoint(event: SessionEvent): void {
    switch (event.type) {
      case "checkpoint.created":
        if (event.endOf !== undefined)
          this.#expect(
            this.#turns.has(event.endOf) && event.endOf !== this.#turn?.id,
            "a checkpoint after the end of a turn names one that has ended",
          );
        this.#checkpoints.add(event.checkpoint);
        return;
      case "restore.started":
        this.#expect(this.#turn === undefined, "files are restored between turns");
        this.#expect(!this.#isRestoring, "restores do not overlap");
        this.#expectCheckpoint(event.checkpoint);
        this.#expectCheckpoint(event.before);
        this.#isRestoring = true;
        return;
      case "checkpoint.restored":
        this.#expect(this.#isRestoring, "only a restore that has begun ends");
        this.#isRestoring = false;
    }
  }

  #expectCheckpoint(id: string): void {
    this.#expect(this.#checkpoints.has(id), "a checkpoint is created before it is named");
  }

  #endTurn(event: EventOf<"turn.ended">): void {
    if (isCutOff(event.error?.code)) this.#cutOff.add(event.turn);
    const turn = this.#turn;
    if (!turn) return;
    this.#expect(turn.message !== undefined, "a turn has an assistant message");
    this.#expect(!this.#content.hasOpenInTurn, "every part, call and ask of a turn is closed before it ends");
    this.#expect(turn.step === undefined, "the last step ends before the turn");
    const isSum = JSON.stringify(event.usage) === JSON.stringify(turn.usage);
    this.#expect(isSum, "the usage of a turn is the sum of its increments");
    this.#expect((event.waitedMs ?? 0) <= event.durationMs, "a turn waited no longer than it took");
    this.#expect(event.cost === turn.cost, "the cost of a turn is the sum of its increments");
    this.#turn = undefined;
  }

  /** What was taken back is free again: the same message may be sent anew. */
  #forgetFrom(message: string): void {
    const history = [...this.#messages];
    for (const id of history.slice(history.indexOf(message))) {
      this.#messages.delete(id);
      this.#prompts.delete(id);
    }
  }

  #isWaiting({ message }: { message: string }): boolean {
    return this.#prompts.get(message) === "waiting";
  }

  #isDispatched({ message }: { message: string }): boolean {
    return this.#prompts.get(message) === "dispatched";
  }

  #addMessage(id: string, role: "user" | "assistant" | "system"): void {
    this.#expect(!this.#messages.has(id), "a message begins once");
    this.#messages.add(id);
    this.#lastRole = role;
  }
}
