/**
 * The rules of a well-formed log, as code. Every recording, every random stream and every test log goes through it.
 * A prefix of a well-formed log is well-formed; `complete` also demands that nothing is left open.
 */
import type { EventOf, SessionEvent } from "./event.ts";
import { addCost, addUsage, type TokenUsage } from "./usage.ts";

export interface LogProblem {
  seq: number;
  rule: string;
}

interface Item {
  kind: "part" | "call" | "ask";
  turn?: string;
  task?: string;
  message?: string;
}

interface Turn {
  id: string;
  message?: string;
  step?: number;
  steps: number;
  usage: TokenUsage;
  cost?: number;
}

/**
 * @example expect(checkLog(events, { complete: true })).toEqual([]);
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

class LogCheck {
  readonly problems: LogProblem[] = [];
  #seq = 0;
  #session = "";
  #created = false;
  #closed = false;
  #attached = false;
  #generation = 0;
  #turn: Turn | undefined;
  readonly #turns = new Set<string>();
  readonly #prompts = new Map<string, "waiting" | "withdrawn" | "dispatched">();
  readonly #messages = new Map<string, "user" | "assistant" | "system">();
  #lastRole: string | undefined;
  readonly #openParts = new Map<string, Item & { type: string }>();
  readonly #seenParts = new Set<string>();
  readonly #openCalls = new Map<string, Item & { hasInput: boolean }>();
  readonly #settledCalls = new Set<string>();
  readonly #openAsks = new Map<
    string,
    Item & { answered: boolean; rejected?: boolean; event: EventOf<"ask.opened"> }
  >();
  readonly #seenAsks = new Set<string>();
  /** Set by the closing of a declined ask: the next event must deny its call. */
  #mustDeny: string | undefined;
  readonly #declined = new Set<string>();
  readonly #openTasks = new Set<string>();
  readonly #seenTasks = new Set<string>();

  #demand(holds: boolean, rule: string): void {
    if (!holds) this.problems.push({ seq: this.#seq, rule });
  }

  add(event: SessionEvent): void {
    const expected = this.#seq + 1;
    this.#seq = event.seq;
    this.#demand(event.seq === expected, `seq is ${event.seq}, expected ${expected}`);
    if (expected === 1) this.#session = event.session;
    this.#demand(event.session === this.#session, "all events of a log are of one session");
    this.#demand(expected !== 1 || event.type === "session.created", "a log begins with session.created");
    this.#demand(!this.#closed, "nothing follows session.closed");
    if (this.#mustDeny !== undefined) {
      this.#demand(
        event.type === "tool.denied" && event.call === this.#mustDeny,
        "a declined call is denied at once",
      );
      this.#mustDeny = undefined;
    }
    if (event.turn !== undefined && event.type !== "turn.started") {
      this.#demand(event.turn === this.#turn?.id, "an event that names a turn stands inside it");
    }
    this.#checkType(event);
  }

  finish(): void {
    this.#demand(this.#turn === undefined, "every turn ends");
    this.#demand(this.#openParts.size === 0, "every part ends");
    this.#demand(this.#openCalls.size === 0, "every call is settled");
    this.#demand(this.#openAsks.size === 0, "every ask is closed");
  }

  #checkType(event: SessionEvent): void {
    switch (event.type) {
      case "session.created":
        this.#demand(!this.#created, "a session is created once");
        this.#created = true;
        return;
      case "session.attached":
        this.#demand(!this.#attached, "an attached session is not attached again");
        this.#demand(event.generation > this.#generation, "each attachment has a new generation");
        this.#attached = true;
        this.#generation = event.generation;
        return;
      case "session.detached":
        this.#demand(this.#attached, "only an attached session is detached");
        this.#demand(this.#turn === undefined, "a turn ends before its agent is detached");
        this.#demand(this.#openTasks.size === 0, "tasks end before their agent is detached");
        this.#attached = false;
        return;
      case "session.closed":
        this.#demand(this.#turn === undefined, "a turn ends before its session is closed");
        this.#closed = true;
        return;
      case "conversation.rewound":
        this.#demand(this.#turn === undefined, "a conversation is rewound between turns");
        this.#demand(this.#messages.has(event.before), "a conversation is rewound to before a known message");
        // What was before that message is not tracked: any role may follow.
        this.#lastRole = undefined;
        return;
      case "prompt.accepted":
        this.#demand(!this.#prompts.has(event.message), "a prompt is accepted once");
        this.#prompts.set(event.message, "waiting");
        return;
      case "prompt.changed":
        return this.#demand(
          this.#prompts.get(event.message) === "waiting",
          "only a waiting prompt is changed",
        );
      case "prompt.withdrawn":
        this.#demand(this.#prompts.get(event.message) === "waiting", "only a waiting prompt is withdrawn");
        this.#prompts.set(event.message, "withdrawn");
        return;
      case "prompt.dispatched":
        this.#demand(
          this.#prompts.get(event.message) === "waiting",
          "a prompt is dispatched once, after it was accepted",
        );
        this.#prompts.set(event.message, "dispatched");
        return this.#addMessage(event.message, "user");
      case "turn.started":
        this.#demand(this.#turn === undefined, "turns do not overlap");
        this.#demand(!this.#turns.has(event.turn), "a turn starts once");
        this.#turns.add(event.turn);
        this.#turn = { id: event.turn, steps: 0, usage: {} };
        return;
      case "turn.ended":
        return this.#endTurn(event);
      case "turn.stopping":
        return;
      case "message.system":
        return this.#addMessage(event.message, "system");
      case "message.started":
        this.#demand(this.#messages.has(event.replyTo), "an assistant message answers a known message");
        this.#demand(this.#lastRole !== "assistant", "two assistant messages are never adjacent");
        this.#demand(
          !this.#hasOpen(),
          "an assistant message begins when nothing of the one before it is open",
        );
        if (this.#turn) this.#turn.message = event.message;
        return this.#addMessage(event.message, "assistant");
      case "step.started":
        this.#demand(this.#turn?.step === undefined, "steps do not overlap");
        this.#demand(event.step === (this.#turn?.steps ?? 0) + 1, "steps are numbered from 1");
        if (this.#turn) Object.assign(this.#turn, { step: event.step, steps: event.step });
        return;
      case "step.ended":
        this.#demand(this.#turn?.step === event.step, "the step that ends is the open one");
        this.#demand(!this.#hasOpen(), "a step ends after its parts and tool results");
        if (this.#turn) this.#turn.step = undefined;
        return;
      case "task.started":
        this.#demand(!this.#seenTasks.has(event.task), "a task starts once");
        this.#seenTasks.add(event.task);
        this.#openTasks.add(event.task);
        return;
      case "task.updated":
        return this.#demand(this.#openTasks.has(event.task), "only a running task is updated");
      case "task.ended":
        for (const items of [this.#openParts, this.#openCalls, this.#openAsks]) {
          for (const item of items.values())
            this.#demand(item.task !== event.task, "a task ends after what is open in it");
        }
        return this.#demand(this.#openTasks.delete(event.task), "a task ends once, after it started");
      case "usage":
        if (this.#turn && event.turn) {
          this.#turn.usage = addUsage(this.#turn.usage, event);
          this.#turn.cost = addCost(this.#turn.cost, event.cost);
        }
        return;
      case "ask.opened":
      case "ask.answered":
      case "ask.closed":
        return this.#checkAsk(event);
      case "prompt.returned":
        this.#demand(
          this.#prompts.get(event.message) === "dispatched",
          "only a dispatched prompt is returned",
        );
        this.#prompts.set(event.message, "waiting");
        this.#messages.delete(event.message);
        return;
      case "prompt.received":
        return this.#demand(
          this.#prompts.get(event.message) === "dispatched",
          "only a dispatched prompt is received",
        );
      case "tool.start":
      case "tool.updated":
      case "tool.input":
      case "tool.input.delta":
      case "tool.progress":
      case "tool.output.delta":
      case "tool.output":
      case "tool.failed":
      case "tool.denied":
      case "tool.abandoned":
      case "tool.amended":
        return this.#checkTool(event);
      case "text.start":
      case "text.delta":
      case "text.end":
      case "reasoning.start":
      case "reasoning.delta":
      case "reasoning.end":
        return this.#checkPart(event);
      case "content.discarded":
        for (const part of event.parts) {
          this.#demand(
            this.#seenParts.has(part) && !this.#openParts.has(part),
            "a discarded part was known and is closed",
          );
        }
        for (const call of event.calls)
          this.#demand(this.#settledCalls.has(call), "a discarded call is settled");
        return;
      case "file":
      case "source":
        return this.#checkPlace(event);
    }
  }

  #checkPart(event: Extract<SessionEvent, { part: string }>): void {
    const kind = event.type.slice(0, event.type.indexOf("."));
    const open = this.#openParts.get(event.part);
    if (event.type === "text.start" || event.type === "reasoning.start") {
      this.#demand(!this.#seenParts.has(event.part), "a part is opened once");
      this.#checkPlace(event);
      this.#seenParts.add(event.part);
      this.#openParts.set(event.part, {
        kind: "part",
        type: kind,
        turn: event.turn,
        task: event.task,
        message: event.message,
      });
      return;
    }
    this.#demand(open !== undefined && open.type === kind, `${event.type} needs an open part of its kind`);
    this.#demand(open?.message === event.message, "a part stays in its message");
    if (event.type === "text.end" || event.type === "reasoning.end") this.#openParts.delete(event.part);
  }

  #checkTool(event: Extract<SessionEvent, { type: `tool.${string}`; call: string }>): void {
    if (event.type === "tool.start") {
      this.#demand(
        !this.#openCalls.has(event.call) && !this.#settledCalls.has(event.call),
        "a call is opened once",
      );
      this.#checkPlace(event);
      this.#openCalls.set(event.call, {
        kind: "call",
        turn: event.turn,
        task: event.task,
        message: event.message,
        hasInput: false,
      });
      return;
    }
    if (event.type === "tool.amended") {
      return this.#demand(this.#settledCalls.has(event.call), "only a settled call is amended");
    }
    const open = this.#openCalls.get(event.call);
    this.#demand(open !== undefined, `${event.type} needs an open call`);
    this.#demand(open?.message === event.message, "a call stays in its message");
    if (event.type === "tool.input.delta")
      this.#demand(!open?.hasInput, "input is not streamed after it was complete");
    if (event.type === "tool.input" && open) open.hasInput = true;
    const settles =
      event.type === "tool.failed" ||
      event.type === "tool.denied" ||
      event.type === "tool.abandoned" ||
      (event.type === "tool.output" && !event.preliminary);
    if (!settles) return;
    this.#demand(
      !this.#declined.has(event.call) || event.type === "tool.denied",
      "a declined call is denied, not run",
    );
    this.#openCalls.delete(event.call);
    this.#settledCalls.add(event.call);
  }

  #checkAsk(event: EventOf<"ask.opened" | "ask.answered" | "ask.closed">): void {
    if (event.type === "ask.opened") {
      this.#demand(!this.#seenAsks.has(event.ask), "an ask is opened once");
      this.#checkPlace(event);
      if (event.call !== undefined) {
        this.#demand(
          this.#openCalls.has(event.call) || this.#settledCalls.has(event.call),
          "an ask is about a known call",
        );
      }
      this.#seenAsks.add(event.ask);
      this.#openAsks.set(event.ask, {
        kind: "ask",
        turn: event.turn,
        task: event.task,
        message: event.message,
        answered: false,
        event,
      });
      return;
    }
    const open = this.#openAsks.get(event.ask);
    this.#demand(open !== undefined, `${event.type} needs an open ask`);
    if (!open) return;
    if (event.type === "ask.answered") {
      this.#demand(!open.answered, "an ask is answered once");
      open.answered = true;
      open.rejected = event.effect === "reject" || event.effect === "reject-always";
      return;
    }
    this.#demand(
      (event.outcome === "answered") === open.answered,
      "an ask is closed as answered exactly when it was",
    );
    this.#openAsks.delete(event.ask);
    const call = open.event.call;
    if (call === undefined || !event.delivered || !(open.rejected || event.outcome === "expired")) return;
    this.#declined.add(call);
    if (this.#openCalls.has(call)) this.#mustDeny = call;
  }

  #endTurn(event: EventOf<"turn.ended">): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#demand(turn.message !== undefined, "a turn has an assistant message");
    this.#demand(!this.#hasOpen(), "every part, call and ask of a turn is closed before it ends");
    this.#demand(turn.step === undefined, "the last step ends before the turn");
    this.#demand(
      JSON.stringify(event.usage) === JSON.stringify(turn.usage),
      "the usage of a turn is the sum of its increments",
    );
    this.#demand(event.cost === turn.cost, "the cost of a turn is the sum of its increments");
    this.#turn = undefined;
  }

  /** Content stands in the turn's current message, or names a task and stands outside every turn. */
  #checkPlace(event: SessionEvent & { parent?: string; task?: string }): void {
    if (event.turn === undefined) {
      return this.#demand(
        event.task !== undefined && this.#openTasks.has(event.task),
        "content outside a turn names a running task",
      );
    }
    this.#demand(
      event.message !== undefined && event.message === this.#turn?.message,
      "content stands in the turn's current message",
    );
    this.#demand(this.#turn?.step !== undefined, "content stands in a step");
    if (event.parent === undefined) return;
    const known = this.#openCalls.has(event.parent) || this.#settledCalls.has(event.parent);
    this.#demand(known, "content under a call comes after the call");
  }

  #addMessage(id: string, role: "user" | "assistant" | "system"): void {
    this.#demand(!this.#messages.has(id), "a message begins once");
    this.#messages.set(id, role);
    this.#lastRole = role;
  }

  /** Whether something of the open turn is open. */
  #hasOpen(): boolean {
    for (const items of [this.#openParts, this.#openCalls, this.#openAsks]) {
      for (const item of items.values()) if (item.turn !== undefined) return true;
    }
    return false;
  }
}
