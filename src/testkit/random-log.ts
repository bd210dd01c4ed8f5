/** Random conversations: a careless agent, one that streams its inputs, and people who act at any time. */
import fc from "fast-check";
import { type AskOption, DECLINE } from "../core/ask.ts";
import type { Draft } from "../core/draft.ts";
import type { SessionEvent } from "../core/event.ts";
import { Conversation, OPTIONS } from "./conversation.ts";
import { sloppyDraft } from "./sloppy-drafts.ts";

type Act =
  | { do: "draft"; draft: Draft }
  | { do: "prompt" | "steer" | "stop" | "crash" | "expire" }
  | { do: "answer"; option: string; isDelivered: boolean; input?: unknown };

const callId = fc.constantFrom("c1", "c2", "c3");

/** Inputs as models stream them, and more about a call that is known already. */
const streamedInput: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({
    type: fc.constant("tool.input.delta" as const),
    call: callId,
    delta: fc.constantFrom('{"a":', '"b', '"}', "[1,2", "tru", "{}", "x"),
  }),
  fc.record({
    type: fc.constant("tool.start" as const),
    call: callId,
    name: fc.constantFrom("Read", "Write"),
    title: fc.constantFrom("one", "two", undefined),
    kind: fc.constantFrom("read", undefined),
  }),
);

const ask: fc.Arbitrary<Draft> = fc.record({
  type: fc.constant("ask.opened" as const),
  ask: fc.constantFrom("q1", "q2", "q3", "q4"),
  kind: fc.constantFrom("permission", "permission", "question", "plan"),
  title: fc.constant("?"),
  options: fc.constant<AskOption[]>([...OPTIONS]),
  call: fc.option(callId, { nil: undefined }),
  editable: fc.option(fc.constant(true as const), { nil: undefined }),
});

const act: fc.Arbitrary<Act> = fc.oneof(
  // Most turns are to be long ones, so that there is time for asks.
  {
    weight: 20,
    arbitrary: sloppyDraft
      .filter((draft) => draft.type !== "turn.ended")
      .map((draft): Act => ({ do: "draft", draft })),
  },
  { weight: 1, arbitrary: sloppyDraft.map((draft): Act => ({ do: "draft", draft })) },
  { weight: 6, arbitrary: streamedInput.map((draft): Act => ({ do: "draft", draft })) },
  { weight: 4, arbitrary: ask.map((draft): Act => ({ do: "draft", draft })) },
  { weight: 2, arbitrary: fc.constant<Act>({ do: "prompt" }) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ do: "steer" }, { do: "expire" }) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ do: "steer" }, { do: "stop" }, { do: "crash" }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      option: fc.constantFrom("yes", "no", "always"),
      isDelivered: fc.boolean(),
      input: fc.option(fc.constant({ command: "ls" }), { nil: undefined }),
    }),
  },
);

/** The log of a whole conversation; at its end the agent is gone. */
export const randomLog: fc.Arbitrary<SessionEvent[]> = fc
  .array(act, { minLength: 10, maxLength: 80 })
  .map((acts) => {
    const conversation = new Conversation();
    for (const step of acts) perform(conversation, step);
    conversation.act((machine) => machine.detach("exit"));
    // As a reader gets it from the store.
    return JSON.parse(JSON.stringify(conversation.log));
  });

function perform(conversation: Conversation, step: Act): void {
  const { state } = conversation.machine;
  const [ask] = state.asks.keys();
  switch (step.do) {
    case "draft":
      conversation.agent(step.draft);
      return;
    case "prompt":
      if (!state.turn) conversation.prompt({ type: "text", text: "go" });
      return;
    case "steer":
      if (state.turn) conversation.steer("and this");
      return;
    case "stop":
      conversation.act((machine) => machine.stopping("owner"));
      return;
    case "crash":
      conversation.act((machine) => machine.detach("crash"));
      return;
    case "expire":
      if (ask === undefined) return;
      conversation.act((machine) => {
        machine.answerAsk(ask, { option: DECLINE }, "daemon", true);
        machine.closeAsk(ask, "answered", false);
      });
      return;
    case "answer":
      if (ask === undefined) return;
      conversation.act((machine) => {
        const { option, input } = step;
        machine.answerAsk(ask, { option, input, message: "so be it" }, "owner");
        if (step.isDelivered) machine.closeAsk(ask, "answered", true);
      });
  }
}
