/** A log as what a person would read of it, without ids and times; and a log made again from its own messages. */
import type { SessionEvent } from "../core/event.ts";
import { foldMessages } from "../core/fold-messages.ts";
import { toMessage } from "../core/to-message.ts";
import { createUnifiedReader } from "./create-unified-reader.ts";
import { createUnifiedTranslator } from "./create-unified-translator.ts";
import { createMachine } from "./logs.test-support.ts";

/** Ids of calls, asks and tasks are numbered in the order in which they appear. */
export function transcriptOf(events: readonly SessionEvent[]): unknown {
  const names = new Map<string, string>();
  const renamed = (id: unknown): unknown => {
    if (typeof id !== "string") return id;
    if (!names.has(id)) names.set(id, `#${names.size + 1}`);
    return names.get(id);
  };
  return foldMessages(events).map((record) => {
    const place = { session: "s1", agent: "mock", firstSeq: 0, lastSeq: 0 };
    const { role, type, content, metadata } = toMessage(record, place);
    const { outcome, error, usage, cost, model } = metadata;
    const plain = content.map((part) => ({
      ...part,
      call: "call" in part ? renamed(part.call) : undefined,
      ask: "ask" in part ? renamed(part.ask) : undefined,
      parent: "parent" in part ? renamed(part.parent) : undefined,
      task: "task" in part ? renamed(part.task) : undefined,
      // Who answered, and whether the agent heard it, is known where the answer was given.
      ...("answer" in part && part.answer && { answer: { ...part.answer, by: undefined, input: undefined } }),
      delivered: undefined,
    }));
    return JSON.parse(JSON.stringify({ role, type, content: plain, outcome, error, usage, cost, model }));
  });
}

/** Only what people did is taken from the log itself; everything the agent did comes from the messages. */
export function throughMessages(events: readonly SessionEvent[]): SessionEvent[] {
  const machine = createMachine();
  const translator = createUnifiedTranslator();
  const reader = createUnifiedReader();
  for (const event of events) {
    const messages = translator.add(event);
    switch (event.type) {
      case "session.created":
      case "turn.started":
      case "turn.stopping":
        continue;
      case "prompt.accepted":
        machine.acceptPrompt(event.message, event.parts, event.whenBusy);
        continue;
      case "prompt.dispatched":
        machine.dispatch(event.message, { steer: event.steered });
        continue;
      case "conversation.rewound":
        machine.emit({ type: event.type, before: event.before, agentForgot: event.agentForgot });
        continue;
      case "session.detached":
        machine.detach(event.reason);
        continue;
    }
    for (const message of messages)
      for (const draft of reader.read(JSON.parse(JSON.stringify(message))).drafts) machine.apply(draft, 1);
  }
  return machine.take();
}
