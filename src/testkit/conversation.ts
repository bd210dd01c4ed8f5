/** Logs for tests, made by the real session machine from drafts and acts of people. */
import type { AskAnswer } from "../core/ask.ts";
import type { Draft } from "../core/draft.ts";
import type { SessionEvent, TurnError, TurnOutcome } from "../core/event.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import { SessionMachine } from "../core/session-machine.ts";
import { emptyState } from "../core/session-state.ts";

export class Conversation {
  readonly log: SessionEvent[] = [];
  readonly machine: SessionMachine;
  #prompts = 0;

  constructor() {
    let messages = 0;
    let now = 1000;
    this.machine = new SessionMachine(emptyState("s"), {
      now: () => now++,
      messageId: () => `m${++messages}`,
    });
    this.act((machine) => machine.create({ agent: "test", cwd: "/" }));
    this.agent({ type: "session.attached", agentSessionId: "native" });
  }

  act(change: (machine: SessionMachine) => void): this {
    change(this.machine);
    this.log.push(...this.machine.take());
    return this;
  }

  agent(...drafts: Draft[]): this {
    return this.act((machine) => {
      for (const draft of drafts) machine.apply(draft, 1);
    });
  }

  prompt(...parts: PromptPart[]): this {
    const message = `u${++this.#prompts}`;
    return this.act((machine) => {
      machine.acceptPrompt(message, parts, "queue");
      machine.dispatch(message);
    });
  }

  steer(text: string): this {
    const message = `u${++this.#prompts}`;
    return this.act((machine) => {
      machine.acceptPrompt(message, [{ type: "text", text }], "steer");
      machine.dispatch(message, { steer: true });
    });
  }

  /** Answers the oldest ask that nobody has answered, and tells the agent. */
  answer(answer: AskAnswer): this {
    return this.act((machine) => {
      const ask = [...machine.state.asks].find(([, open]) => !open.answered)?.[0];
      if (ask === undefined) return;
      machine.answerAsk(ask, answer, "owner");
      machine.closeAsk(ask, "answered", true);
    });
  }

  end(outcome: TurnOutcome = "completed", error?: TurnError): this {
    return this.act((machine) => machine.endTurn(outcome, error));
  }
}

/** A conversation with a turn open. */
export function begin(): Conversation {
  return new Conversation().prompt({ type: "text", text: "go" });
}

export const OPTIONS = [
  { id: "yes", label: "Yes", effect: "once" },
  { id: "always", label: "Always", effect: "always", storedIn: "session" },
  { id: "no", label: "No", effect: "reject" },
] as const;

export const YES: AskAnswer = { option: "yes" };
export const NO: AskAnswer = { option: "no", message: "not now" };

/** A whole call but for its result. */
export function call(id: string, name: string, input: unknown): Draft[] {
  return [
    { type: "tool.start", call: id, name, kind: "execute" },
    { type: "tool.input", call: id, input },
  ];
}

export function text(part: string, ...deltas: string[]): Draft[] {
  return [
    { type: "text.start", part },
    ...deltas.map((delta): Draft => ({ type: "text.delta", part, delta })),
    { type: "text.end", part },
  ];
}

export function permission(ask: string, about?: string): Extract<Draft, { type: "ask.opened" }> {
  return {
    type: "ask.opened",
    ask,
    kind: "permission",
    title: `May I? ${ask}`,
    options: [...OPTIONS],
    ...(about !== undefined && { call: about }),
  };
}
