/** What agents and people do, one log each: the turns every view has to get right. */
import type { SessionEvent } from "../../core/event.ts";
import { begin, Conversation, call, NO, permission, text } from "../../testkit/conversation.ts";
import { ASK_SCENARIOS } from "./ask-scenarios.test-support.ts";

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

  ...ASK_SCENARIOS,

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
