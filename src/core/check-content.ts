/** The rules of what stands inside a turn or a task: parts, calls, asks and tasks. A part of checkLog. */
import type { EventOf, SessionEvent } from "./event.ts";

/** The parts of the open turn that content refers to. */
export interface TurnPlace {
  id: string;
  message?: string;
  step?: number;
}

interface Item {
  turn?: string;
  task?: string;
  message?: string;
}

type PartEvent = Extract<SessionEvent, { part: string }>;
type CallEvent = Extract<SessionEvent, { type: `tool.${string}`; call: string }>;
type AskEvent = EventOf<"ask.opened" | "ask.updated" | "ask.answered" | "ask.closed">;
type TaskEvent = EventOf<"task.started" | "task.updated" | "task.stopping" | "task.ended">;

const SETTLING = ["tool.failed", "tool.denied", "tool.abandoned"];

/** The progress of an open ask. */
interface AskProgress {
  call?: string;
  isAnswered: boolean;
  isExpired: boolean;
  isRejected: boolean;
  isEditable: boolean;
  /** The answer has another input for the call. */
  isEdited: boolean;
}

export class ContentCheck {
  readonly #expect: (holds: boolean, rule: string) => void;
  readonly #openParts = new Map<string, Item & { kind: string }>();
  readonly #seenParts = new Set<string>();
  readonly #openCalls = new Map<string, Item & { hasInput: boolean }>();
  readonly #settledCalls = new Set<string>();
  readonly #openAsks = new Map<string, Item & AskProgress>();
  readonly #seenAsks = new Set<string>();
  readonly #openTasks = new Set<string>();
  readonly #seenTasks = new Set<string>();
  readonly #declinedCalls = new Set<string>();
  /** Set by the closing of a declined ask: the next event must deny its call. */
  #mustDeny: string | undefined;
  /** Set by the closing of an ask whose input was edited: the next event must show the input that runs. */
  #mustShow: string | undefined;

  constructor(expect: (holds: boolean, rule: string) => void) {
    this.#expect = expect;
  }

  add(event: SessionEvent, turn: TurnPlace | undefined): void {
    if (this.#mustDeny !== undefined) {
      const denies = event.type === "tool.denied" && event.call === this.#mustDeny;
      this.#expect(denies, "a declined call is denied at once");
      this.#mustDeny = undefined;
    }
    const isEdited = event.type === "tool.input" && event.by !== undefined;
    if (this.#mustShow !== undefined || isEdited) {
      const shows = isEdited && event.call === this.#mustShow;
      this.#expect(shows, "an edited input is shown at once, and only then has a name");
      this.#mustShow = undefined;
    }
    switch (event.type) {
      case "text.start":
      case "text.delta":
      case "text.end":
      case "reasoning.start":
      case "reasoning.delta":
      case "reasoning.end":
        return this.#addPart(event, turn);
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
        return this.#addCall(event, turn);
      case "ask.opened":
      case "ask.updated":
      case "ask.answered":
      case "ask.closed":
        return this.#addAsk(event, turn);
      case "task.started":
      case "task.updated":
      case "task.stopping":
      case "task.ended":
        return this.#addTask(event);
      case "content.discarded":
        return this.#addDiscarded(event);
      case "file":
      case "source":
        return this.#checkPlace(event, turn);
    }
  }

  /** Whether a part, call or ask of the open turn is open. */
  get hasOpenInTurn(): boolean {
    return this.#items().some((item) => item.turn !== undefined);
  }

  get hasOpenTasks(): boolean {
    return this.#openTasks.size > 0;
  }

  finish(): void {
    this.#expect(this.#openParts.size === 0, "every part ends");
    this.#expect(this.#openCalls.size === 0, "every call is settled");
    this.#expect(this.#openAsks.size === 0, "every ask is closed");
  }

  #addPart(event: PartEvent, turn: TurnPlace | undefined): void {
    const kind = event.type.slice(0, event.type.indexOf("."));
    if (event.type === "text.start" || event.type === "reasoning.start") {
      this.#expect(!this.#seenParts.has(event.part), "a part is opened once");
      this.#checkPlace(event, turn);
      this.#seenParts.add(event.part);
      this.#openParts.set(event.part, { kind, ...placeOf(event) });
      return;
    }
    const open = this.#openParts.get(event.part);
    this.#expect(open?.kind === kind, `${event.type} needs an open part of its kind`);
    this.#expect(open?.message === event.message, "a part stays in its message");
    if (event.type === "text.end" || event.type === "reasoning.end") this.#openParts.delete(event.part);
  }

  #addCall(event: CallEvent, turn: TurnPlace | undefined): void {
    if (event.type === "tool.start") {
      this.#expect(!this.#isKnownCall(event.call), "a call is opened once");
      this.#checkPlace(event, turn);
      this.#openCalls.set(event.call, { hasInput: false, ...placeOf(event) });
      return;
    }
    if (event.type === "tool.amended") {
      return this.#expect(this.#settledCalls.has(event.call), "only a settled call is amended");
    }
    const open = this.#openCalls.get(event.call);
    this.#expect(open !== undefined, `${event.type} needs an open call`);
    this.#expect(open?.message === event.message, "a call stays in its message");
    if (event.type === "tool.input.delta") {
      this.#expect(!open?.hasInput, "input is not streamed after it was complete");
    }
    if (event.type === "tool.input" && open) open.hasInput = true;
    const isFinalOutput = event.type === "tool.output" && !event.preliminary;
    if (!isFinalOutput && !SETTLING.includes(event.type)) return;
    const isDeclined = this.#declinedCalls.has(event.call);
    this.#expect(!isDeclined || event.type === "tool.denied", "a declined call is denied, not run");
    this.#openCalls.delete(event.call);
    this.#settledCalls.add(event.call);
  }

  #addAsk(event: AskEvent, turn: TurnPlace | undefined): void {
    if (event.type === "ask.opened") {
      this.#expect(!this.#seenAsks.has(event.ask), "an ask is opened once");
      this.#checkPlace(event, turn);
      this.#expect(event.call === undefined || this.#isKnownCall(event.call), "an ask is about a known call");
      const isInputKnown = this.#openCalls.get(event.call ?? "")?.hasInput === true;
      this.#expect(!event.editable || isInputKnown, "only an input that is known can be edited");
      this.#seenAsks.add(event.ask);
      this.#openAsks.set(event.ask, {
        call: event.call,
        isAnswered: false,
        isExpired: false,
        isRejected: false,
        isEditable: event.editable === true,
        isEdited: false,
        ...placeOf(event),
      });
      return;
    }
    const open = this.#openAsks.get(event.ask);
    this.#expect(open !== undefined, `${event.type} needs an open ask`);
    if (!open) return;
    if (event.type === "ask.updated") {
      this.#expect(!open.isAnswered, "only an ask that nobody has answered is updated");
      return this.#expect(open.message === event.message, "an ask stays in its message");
    }
    if (event.type === "ask.answered") {
      this.#expect(!open.isAnswered, "an ask is answered once");
      open.isAnswered = true;
      open.isExpired = event.expired === true;
      open.isRejected = event.effect === "reject" || event.effect === "reject-always";
      open.isEdited = open.isEditable && !open.isRejected && event.input !== undefined;
      return;
    }
    this.#expect(
      (event.outcome === "answered") === (open.isAnswered && !open.isExpired),
      "an ask is closed as answered exactly when somebody did",
    );
    this.#expect(
      event.outcome === "expired" || !open.isExpired,
      "an ask the daemon declined is closed as expired",
    );
    this.#openAsks.delete(event.ask);
    const isDeclined = event.delivered && (open.isRejected || event.outcome === "expired");
    if (open.call !== undefined && event.delivered && open.isEdited && this.#openCalls.has(open.call))
      this.#mustShow = open.call;
    if (open.call === undefined || !isDeclined) return;
    this.#declinedCalls.add(open.call);
    if (this.#openCalls.has(open.call)) this.#mustDeny = open.call;
  }

  #addTask(event: TaskEvent): void {
    if (event.type === "task.started") {
      this.#expect(!this.#seenTasks.has(event.task), "a task starts once");
      this.#seenTasks.add(event.task);
      this.#openTasks.add(event.task);
      return;
    }
    this.#expect(this.#openTasks.has(event.task), `${event.type} needs a running task`);
    if (event.type !== "task.ended") return;
    this.#expect(
      !this.#items().some((item) => item.task === event.task),
      "a task ends after what is open in it",
    );
    this.#openTasks.delete(event.task);
  }

  #addDiscarded(event: EventOf<"content.discarded">): void {
    for (const part of event.parts) {
      const isClosed = this.#seenParts.has(part) && !this.#openParts.has(part);
      this.#expect(isClosed, "a discarded part was known and is closed");
    }
    for (const call of event.calls) this.#expect(this.#settledCalls.has(call), "a discarded call is settled");
  }

  /** Content stands in the turn's current message, or names a task and stands outside every turn. */
  #checkPlace(event: SessionEvent & { parent?: string; task?: string }, turn: TurnPlace | undefined): void {
    if (event.turn === undefined) {
      const isOfTask = event.task !== undefined && this.#openTasks.has(event.task);
      return this.#expect(isOfTask, "content outside a turn names a running task");
    }
    const isInMessage = event.message !== undefined && event.message === turn?.message;
    this.#expect(isInMessage, "content stands in the turn's current message");
    this.#expect(turn?.step !== undefined, "content stands in a step");
    const isUnderKnown = event.parent === undefined || this.#isKnownCall(event.parent);
    this.#expect(isUnderKnown, "content under a call comes after the call");
  }

  #isKnownCall(call: string): boolean {
    return this.#openCalls.has(call) || this.#settledCalls.has(call);
  }

  #items(): Item[] {
    return [...this.#openParts.values(), ...this.#openCalls.values(), ...this.#openAsks.values()];
  }
}

function placeOf({ turn, message, task }: SessionEvent & { task?: string }): Item {
  return { turn, message, task };
}
