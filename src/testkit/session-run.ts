/** A session with an agent whose drafts go through the real machine as in the engine, and the log they make. */
import type {
  AgentOutput,
  BackendAdapter,
  BackendSession,
  ConnectOptions,
  Steerable,
} from "../core/adapter.ts";
import type { AskAnswer } from "../core/ask.ts";
import type { CommandOf } from "../core/command.ts";
import type { Draft } from "../core/draft.ts";
import type { EventOf, EventType, SessionEvent } from "../core/event.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import { SessionMachine } from "../core/session-machine.ts";
import { emptyState } from "../core/session-state.ts";

const DEADLINE_MS = 30_000;

export interface RunOptions extends Partial<ConnectOptions> {
  readonly adapter: BackendAdapter;
  /** Answers asks as they come; those it gives nothing for stay open. */
  answer?(ask: EventOf<"ask.opened">): AskAnswer | undefined;
  /** An earlier run of the same session, whose log goes on. */
  readonly after?: SessionRun;
  /** How long `until` waits. */
  readonly deadlineMs?: number;
}

let sessions = 0;

/**
 * Connects and takes what the agent says into a log.
 *
 * @example
 * const run = await startRun({ adapter, cwd, answer: () => ({ option: "allow" }) });
 * await run.turn("Tidy up.");
 * expect(checkLog(await run.close(), { complete: true })).toEqual([]);
 */
export async function startRun(options: RunOptions): Promise<SessionRun> {
  const { adapter, answer = () => undefined, after, deadlineMs = DEADLINE_MS, ...connect } = options;
  const cwd = connect.cwd ?? process.cwd();
  sessions += 1;
  const session = await adapter.connect({ sessionId: `s${sessions}`, cwd, ...connect });
  const machine = after?.machine ?? newMachine(session.sessionId, adapter.name, cwd);
  return new SessionRun({ session, machine, answer, deadlineMs, earlier: after?.events ?? [] });
}

function newMachine(id: string, agent: string, cwd: string): SessionMachine {
  let messages = 0;
  const messageId = () => {
    messages += 1;
    return `message-${messages}`;
  };
  const machine = new SessionMachine(emptyState(id), { now: Date.now, messageId });
  machine.create({ agent, cwd });
  return machine;
}

/** A session that runs, with its outputs and its log. @example await run.until(() => run.of("ask.opened").length === 2) */
export class SessionRun {
  readonly session: BackendSession;
  readonly machine: SessionMachine;
  readonly events: SessionEvent[];
  readonly outputs: AgentOutput[] = [];
  /** Resolves when the agent is gone and the log says so. */
  readonly over: Promise<void>;
  readonly #answer: (ask: EventOf<"ask.opened">) => AskAnswer | undefined;
  readonly #deadlineMs: number;
  readonly #watchers = new Set<() => void>();
  #prompts = 0;
  #isClosed = false;
  #isOver = false;

  constructor(options: {
    session: BackendSession;
    machine: SessionMachine;
    answer: (ask: EventOf<"ask.opened">) => AskAnswer | undefined;
    deadlineMs: number;
    earlier: SessionEvent[];
  }) {
    this.session = options.session;
    this.machine = options.machine;
    this.#answer = options.answer;
    this.#deadlineMs = options.deadlineMs;
    this.events = options.earlier;
    this.over = this.#pump();
  }

  get drafts(): Draft[] {
    return this.outputs.flatMap((output) => output.drafts);
  }

  get pid(): number {
    const [first] = this.outputs;
    return first?.raw.direction === "process" ? (first.raw.data.pid as number) : 0;
  }

  of<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** All text the agent itself has said. */
  get text(): string {
    return this.of("text.delta")
      .filter((event) => event.turn !== undefined && event.parent === undefined)
      .map((event) => event.delta)
      .join("");
  }

  /** Sends a prompt as the engine does, and gives the id of its message. */
  async prompt(
    text: string,
    options: { files?: readonly PromptPart[]; steer?: boolean } = {},
  ): Promise<string> {
    const command = this.#admit(text, options);
    await this.session.send(command);
    return command.message;
  }

  /** Sends a prompt into the running turn through the session's own method. */
  steer(text: string): string {
    const command = this.#admit(text, { steer: true });
    (this.session as BackendSession & Steerable).steer(command);
    return command.message;
  }

  /** Sends a prompt and waits for the end of its turn. */
  async turn(text: string, options: { files?: readonly PromptPart[] } = {}): Promise<EventOf<"turn.ended">> {
    const ended = this.of("turn.ended").length;
    await this.prompt(text, options);
    await this.until(() => this.of("turn.ended").length > ended);
    return this.of("turn.ended").at(-1)!;
  }

  async interrupt(): Promise<void> {
    this.#act(() => this.machine.stopping("test"));
    await this.session.send({ type: "interrupt" });
  }

  async reply({ ask, native, options }: EventOf<"ask.opened">, answer: AskAnswer): Promise<void> {
    const effect = options.find((option) => option.id === answer.option)?.effect;
    this.#act(() => this.machine.answerAsk(ask, answer, "test"));
    await this.session.send({ type: "reply", ask: native!, effect, ...answer });
    this.#act(() => this.machine.closeAsk(ask, "answered", true));
  }

  /** Resolves as soon as it holds; rejects when the agent is gone before that, or when it takes too long. */
  async until(holds: () => boolean): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, this.#deadlineMs);
    try {
      while (!holds()) {
        if (this.#isOver) throw new Error(`the agent is gone: ${this.#lastEvents}`);
        if (isLate) throw new Error(`not after ${this.#deadlineMs} ms: ${holds}; last: ${this.#lastEvents}`);
        await new Promise<void>((resolve) => this.#watchers.add(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async untilEvent(type: EventType): Promise<void> {
    await this.until(() => this.of(type).length > 0);
  }

  /** Closes the session and gives the whole log. */
  async close(): Promise<SessionEvent[]> {
    this.#isClosed = true;
    await this.session.close();
    await this.over;
    return this.events;
  }

  #admit(
    text: string,
    { files = [], steer }: { files?: readonly PromptPart[]; steer?: boolean },
  ): CommandOf<"prompt"> {
    this.#prompts += 1;
    const message = `u${this.machine.state.generation}-${this.#prompts}`;
    const parts: PromptPart[] = [{ type: "text", text }, ...files];
    this.#act(() => {
      this.machine.acceptPrompt(message, parts, steer ? "steer" : "queue");
      this.machine.dispatch(message, { steer });
    });
    return { type: "prompt", message, parts, ...(steer && { steer }) };
  }

  async #pump(): Promise<void> {
    for await (const output of this.session.messages) {
      this.outputs.push(output);
      this.#act(() => {
        for (const draft of output.drafts) this.machine.apply(draft, this.outputs.length);
        this.#nameConversation();
      });
    }
    this.#isOver = true;
    this.#act(() => this.machine.detach(this.#isClosed ? "closed" : "crash", {}));
  }

  /** As the engine does for an agent that reports no id. */
  #nameConversation(): void {
    const { agentSessionId } = this.session;
    const { attached, agentSessionId: known } = this.machine.state;
    if (attached && agentSessionId !== undefined && agentSessionId !== known)
      this.machine.apply({ type: "session.updated", agentSessionId });
  }

  #act(change: () => void): void {
    change();
    const events = this.machine.take();
    this.events.push(...events);
    for (const event of events) if (event.type === "ask.opened") this.#considerAsk(event);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#watchers) wake();
    this.#watchers.clear();
  }

  #considerAsk(ask: EventOf<"ask.opened">): void {
    const answer = this.#answer(ask);
    if (answer) void this.reply(ask, answer);
  }

  get #lastEvents(): string {
    return JSON.stringify(this.events.slice(-3));
  }
}
