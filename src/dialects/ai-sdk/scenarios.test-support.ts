/** What agents and people do, one log each: the turns every view has to get right. */
import type { SessionEvent } from "../../core/event.ts";
import { Conversation, call, NO, OPTIONS, permission, text, YES } from "./conversation.test-support.ts";

const begin = () => new Conversation().prompt({ type: "text", text: "go" });

export const SCENARIOS = {
  text: () =>
    begin()
      .agent(...text("a", "Hel", "lo"))
      .end(),

  rich: () =>
    begin()
      .agent(
        { type: "step.started" },
        { type: "reasoning.delta", part: "r", delta: "Let me " },
        { type: "reasoning.delta", part: "r", delta: "think." },
        { type: "reasoning.end", part: "r" },
        { type: "plan.updated", entries: [{ text: "read", status: "active" }] },
        { type: "tool.start", call: "c1", name: "Read", title: "Read a file", kind: "read" },
        { type: "tool.input.delta", call: "c1", delta: '{"path":' },
        { type: "tool.input.delta", call: "c1", delta: '"a.ts"}' },
        {
          type: "tool.start",
          call: "c1",
          name: "Read",
          title: "Read a.ts",
          locations: [{ path: "a.ts", line: 3 }],
        },
        { type: "tool.input", call: "c1", input: { path: "a.ts" } },
        { type: "tool.progress", call: "c1", progress: { percent: 50 } },
        { type: "tool.output.delta", call: "c1", delta: "const" },
        { type: "tool.output", call: "c1", output: "const", preliminary: true },
        { type: "tool.output", call: "c1", output: "const a = 1", truncatedFrom: 900 },
        { type: "file.edited", path: "a.ts", kind: "changed", diff: "@@", call: "c1" },
        { type: "usage", input: 10, output: 2, cost: 0.1, model: "big" },
        { type: "step.ended", reason: "tool_use" },
        { type: "step.started" },
        { type: "plan.updated", entries: [{ text: "read", status: "done" }] },
        ...call("c2", "Bash", { command: "false" }),
        { type: "tool.failed", call: "c2", error: "exit code 1", output: "oh no", exitCode: 1 },
        { type: "source", id: "s1", url: "https://example.test/", title: "Example" },
        { type: "source", id: "s2", mediaType: "text/plain", filename: "notes.txt" },
        { type: "file", url: "data:text/plain,x", mediaType: "text/plain", filename: "x.txt" },
        { type: "tool.summary", calls: ["c1", "c2"], text: "read and ran" },
        { type: "notice", level: "warning", code: "rate-limit", text: "slow down" },
        { type: "compaction.started", trigger: "auto" },
        { type: "compaction.ended", summary: "short", tokensBefore: 100, tokensAfter: 10 },
        { type: "auth.status", state: "ok" },
        { type: "agent.unknown", native: "strange" },
        { type: "usage", input: 5, output: 3, cost: 0.2, context: { used: 15, size: 200 } },
        { type: "text.start", part: "b", purpose: "answer" },
        { type: "text.delta", part: "b", delta: "Done." },
        { type: "text.end", part: "b" },
      )
      .end(),

  "parallel tools": () =>
    begin()
      .agent(
        ...call("c1", "Read", { path: "a" }),
        ...call("c2", "Read", { path: "b" }),
        { type: "tool.output", call: "c2", output: "B" },
        { type: "tool.output", call: "c1", output: "A" },
        { type: "step.started" },
        ...text("a", "both"),
      )
      .end(),

  "a result without input": () =>
    begin()
      .agent(
        { type: "tool.start", call: "c1", name: "Fetch" },
        { type: "tool.output", call: "c1", output: "ok" },
        { type: "tool.start", call: "c2", name: "Fetch" },
        { type: "tool.input.delta", call: "c2", delta: '{"url":"x","deep":[1,2' },
        { type: "tool.failed", call: "c2", error: "gone" },
      )
      .end(),

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

  subagent: () =>
    begin()
      .agent(
        ...call("c1", "Task", { prompt: "look" }),
        { type: "text.delta", part: "s1", delta: "looking", parent: "c1" },
        { type: "tool.start", call: "c2", name: "Grep", parent: "c1" },
        { type: "tool.input", call: "c2", input: { pattern: "x" }, parent: "c1" },
        { type: "tool.output", call: "c2", output: "y", parent: "c1" },
        { type: "text.end", part: "s1", parent: "c1" },
        { type: "plan.updated", entries: [], parent: "c1" },
        { type: "tool.start", call: "c3", name: "Bash", parent: "c1" },
        { ...permission("q1", "c3"), parent: "c1" },
      )
      .answer(NO)
      .agent({ type: "tool.output", call: "c1", output: "looked" }, ...text("a", "It looked."))
      .end(),

  retry: () =>
    begin()
      .agent(
        { type: "text.delta", part: "a", delta: "Wro" },
        { type: "tool.start", call: "c1", name: "Bash" },
        { type: "content.discarded", parts: ["a"], calls: ["c1"], reason: "overloaded" },
        ...text("b", "Right."),
      )
      .end(),

  steer: () =>
    begin()
      .agent({ type: "text.delta", part: "a", delta: "One" })
      .steer("and two")
      .agent({ type: "prompt.taken" }, ...text("b", "Two"))
      .end(),

  "an agent-origin turn": () =>
    new Conversation()
      .agent({ type: "turn.started", cause: "task", text: "The build ended." }, ...text("a", "It is built."))
      .end(),

  background: () =>
    begin()
      .agent(
        ...call("c1", "Bash", { command: "serve" }),
        { type: "task.started", task: "k1", title: "serve", call: "c1" },
        { type: "tool.output", call: "c1", output: "started", running: true },
        ...text("a", "It runs."),
      )
      .end()
      .agent(
        { type: "text.delta", part: "b", delta: "still here", parent: "c1" },
        { type: "text.end", part: "b", parent: "c1" },
        { type: "tool.output", call: "c1", output: "exited" },
        { type: "task.ended", task: "k1", outcome: "completed" },
      ),

  error: () =>
    begin()
      .agent(...text("a", "Uh"))
      .end("failed", { code: "overloaded", message: "The model is overloaded." }),

  interrupt: () =>
    begin()
      .agent({ type: "text.delta", part: "a", delta: "I am" }, ...call("c1", "Bash", {}), {
        type: "tool.output.delta",
        call: "c1",
        delta: "line 1\n",
      })
      .act((machine) => machine.stopping("owner"))
      .end("interrupted"),

  limit: () =>
    begin()
      .agent(...text("a", "so long"))
      .end("limit"),
  refused: () => begin().end("refused"),

  crash: () =>
    begin()
      .agent(
        { type: "text.delta", part: "a", delta: "I am" },
        ...call("c1", "Bash", {}),
        permission("q1", "c1"),
      )
      .act((machine) => machine.detach("crash", { code: 1 })),
} satisfies Record<string, () => Conversation>;

export type ScenarioName = keyof typeof SCENARIOS;

export function logOf(name: ScenarioName): SessionEvent[] {
  return SCENARIOS[name]().log;
}
