/** Turns in which a person is asked, one log each. */
import {
  begin,
  type Conversation,
  call,
  NO,
  OPTIONS,
  permission,
  text,
  YES,
} from "../../testkit/conversation.ts";

export const ASK_SCENARIOS = {
  approve: () =>
    begin()
      .agent(...text("a", "I will run it."), ...call("c1", "Bash", { command: "ls" }), permission("q1", "c1"))
      .answer(YES)
      .agent(
        { type: "tool.output", call: "c1", output: "a.ts" },
        { type: "step.started" },
        ...text("b", "It", " ran."),
      )
      .end(),

  deny: () =>
    begin()
      .agent(...call("c1", "Bash", { command: "rm" }), permission("q1", "c1"))
      .answer(NO)
      .agent({ type: "tool.failed", call: "c1", error: "refused" }, ...text("b", "Then not."))
      .end(),

  "approve and nothing more": () =>
    begin()
      .agent(...call("c1", "Bash", {}), permission("q1", "c1"))
      .answer(YES)
      .agent({ type: "tool.output", call: "c1", output: "" })
      .end(),

  "two asks at once": () =>
    begin()
      .agent(
        ...call("c1", "Bash", { command: "one" }),
        ...call("c2", "Bash", { command: "two" }),
        permission("q1", "c1"),
        permission("q2", "c2"),
      )
      .answer(YES)
      .agent({ type: "tool.output", call: "c1", output: 1 })
      .answer(NO)
      .agent({ type: "step.started" }, ...text("b", "One of two."))
      .end(),

  "an ask with an unfinished sibling": () =>
    begin()
      .agent(
        ...call("c1", "Search", { query: "x" }),
        ...call("c2", "Bash", { command: "ls" }),
        permission("q1", "c2"),
      )
      .answer(YES)
      .agent(
        { type: "tool.output", call: "c2", output: "a.ts" },
        { type: "tool.output", call: "c1", output: "found" },
        { type: "step.started" },
        ...text("b", "Done."),
      )
      .end(),

  "a denied ask with an unfinished sibling": () =>
    begin()
      .agent(...call("c1", "Search", {}), ...call("c2", "Bash", {}), permission("q1", "c2"))
      .answer(NO)
      .agent({ type: "tool.output", call: "c1", output: "found" }, ...text("b", "Half."))
      .end(),

  "an ask while the input of a sibling streams": () =>
    begin()
      .agent(
        { type: "tool.start", call: "c1", name: "Bash" },
        { type: "tool.input.delta", call: "c1", delta: '{"command":"ls"}' },
        { type: "tool.input", call: "c1", input: { command: "ls" } },
        { type: "tool.start", call: "c2", name: "Write" },
        permission("q1", "c1"),
        { type: "tool.input.delta", call: "c2", delta: '{"path":' },
        { type: "tool.input.delta", call: "c2", delta: '"b.ts"}' },
        { type: "tool.input", call: "c2", input: { path: "b.ts" } },
      )
      .answer(YES)
      .agent({ type: "tool.output", call: "c1", output: "" }, { type: "tool.output", call: "c2", output: "" })
      .end(),

  "an ask in the middle of a text": () =>
    begin()
      .agent({ type: "text.delta", part: "a", delta: "I would " }, permission("q1"), {
        type: "text.delta",
        part: "a",
        delta: "like to.",
      })
      .answer(YES)
      .agent({ type: "text.delta", part: "a", delta: " Thanks." }, { type: "text.end", part: "a" })
      .end(),

  "an expired ask": () =>
    begin()
      .agent(...call("c1", "Bash", {}), permission("q1", "c1"))
      .act((machine) => {
        const [ask] = machine.state.asks.keys();
        machine.answerAsk(ask!, { option: "no", message: "Nobody answered in time." }, "daemon", true);
        machine.closeAsk(ask!, "answered", true);
      })
      .agent(...text("b", "Too late."))
      .end(),

  "an expired ask of an older log": () =>
    begin()
      .agent(...call("c1", "Bash", {}), permission("q1", "c1"))
      .act((machine) => machine.closeAsk([...machine.state.asks.keys()][0]!, "expired", true))
      .agent(...text("b", "Too late."))
      .end(),

  "a cancelled ask": () =>
    begin()
      .agent(...call("c1", "Bash", {}), permission("q1", "c1"), permission("q2"))
      .act((machine) => machine.stopping("owner"))
      .end("interrupted"),

  question: () =>
    begin()
      .agent(...call("c1", "AskUserQuestion", { questions: ["?"] }), {
        type: "ask.opened",
        ask: "q1",
        kind: "question",
        call: "c1",
        title: "Which?",
        options: [],
        questions: [{ id: "q1", text: "Which?", options: [{ label: "A" }, { label: "B" }], free: true }],
      })
      .answer({ answers: { q1: ["A"] } })
      .agent({ type: "tool.output", call: "c1", output: "A it is" }, ...text("b", "A."))
      .end(),

  "a declined question": () =>
    begin()
      .agent({ type: "ask.opened", ask: "q1", kind: "question", title: "Which?", options: [], questions: [] })
      .answer({ option: "reject" })
      .agent(...text("b", "Never mind."))
      .end(),

  plan: () =>
    begin()
      .agent(...call("c1", "ExitPlanMode", { plan: "do it" }), {
        type: "ask.opened",
        ask: "q1",
        kind: "plan",
        call: "c1",
        title: "Go?",
        options: [...OPTIONS],
      })
      .answer(YES)
      .agent({ type: "tool.output", call: "c1", output: "approved" }, ...text("b", "Going."))
      .end(),
} satisfies Record<string, () => Conversation>;
