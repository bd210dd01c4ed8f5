import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { expectGrammar } from "./expect-grammar.test-support.ts";
import { historyEntries } from "./history-events.ts";
import { ResponseView } from "./outbound.ts";

const IN_TURN = { session: "s", turn: "t", message: "a" };
const ACCEPTED = {
  type: "prompt.accepted",
  message: "u",
  parts: [{ type: "text", text: "Do it" }],
  whenBusy: "queue",
};
const DISPATCHED = { type: "prompt.dispatched", message: "u", checkpoint: "c0ffee" };
const ENDED = { type: "turn.ended", outcome: "completed", usage: {}, durationMs: 1 };

function logOf(bodies: readonly object[]): SessionEvent[] {
  return bodies.map((body, place) => ({ ...IN_TURN, seq: place + 1, at: 0, ...body }) as SessionEvent);
}

/** What a response says of these events of a turn, without `user` and `done`. */
function said(...bodies: readonly object[]) {
  const view = new ResponseView({ dialog: "01J", cwd: "/project" });
  const frames = logOf([ACCEPTED, DISPATCHED, ...bodies, ENDED]).flatMap((event) => [...view.add(event)]);
  return expectGrammar(frames)
    .slice(1, -1)
    .map(({ dialog_id: _, ...event }) => event);
}

const chat = (part: string, delta: string) => ({ type: "text.delta", part, delta });
const start = (call: string, name = "look") => ({ type: "tool.start", call, name });

describe("segments", () => {
  it("are closed by whatever comes next, and none is empty", () => {
    const events = said(
      { type: "text.start", part: "p" },
      chat("p", ""),
      chat("p", "a"),
      { type: "reasoning.delta", part: "r", delta: "hm" },
      chat("p", "b"),
      { type: "text.end", part: "p" },
      { type: "text.start", part: "q" },
      { type: "text.end", part: "q" },
    );
    expect(events.map(({ type }) => type)).toEqual([
      "chat_start",
      "chat",
      "chat_end",
      "reasoning_start",
      "reasoning",
      "reasoning_end",
      "chat_start",
      "chat",
      "chat_end",
    ]);
  });

  it("are closed before an error, also when the stream is cut off", () => {
    const view = new ResponseView({ dialog: "01J", cwd: "/project" });
    const frames = logOf([ACCEPTED, DISPATCHED, chat("p", "a")]).flatMap((event) => [...view.add(event)]);
    const all = expectGrammar([...frames, ...view.cutOff("a test")]);
    expect(all.slice(-3).map(({ type }) => type)).toEqual(["chat_end", "error", "done"]);
    expect(view.cutOff("again")).toEqual([]);
  });
});

describe("summaries", () => {
  const types = (...bodies: readonly object[]) => said(...bodies).map(({ type }) => type);

  it("come as a pair, also when only the end is told, or never", () => {
    expect(types({ type: "compaction.started" }, { type: "compaction.ended" })).toEqual([
      "summary_start",
      "summary_end",
    ]);
    expect(types({ type: "compaction.ended" })).toEqual(["summary_start", "summary_end"]);
    expect(types({ type: "compaction.started" })).toEqual(["summary_start", "summary_end"]);
  });

  it("are two when a second one begins before the end of the first was told", () => {
    const pair = ["summary_start", "summary_end"];
    const started = { type: "compaction.started" };
    expect(types(started, started, { type: "compaction.ended" })).toEqual([...pair, ...pair]);
  });

  it("are closed once by what is said meanwhile", () => {
    const events = types({ type: "compaction.started" }, chat("p", "a"), { type: "compaction.ended" });
    expect(events).toEqual(["summary_start", "summary_end", "chat_start", "chat", "chat_end"]);
  });
});

describe("calls", () => {
  it("are told once, with their whole input and their last name", () => {
    const call = { call: "c" };
    expect(
      said(
        start("c", "tool"),
        { type: "tool.updated", ...call, name: "read_file" },
        { type: "tool.input.delta", ...call, delta: "{" },
        { type: "tool.input", ...call, input: { path: "a" } },
        { type: "tool.output", ...call, output: "x" },
      ),
    ).toEqual([{ type: "tool_call", name: "read_file", args: { path: "a" } }]);
  });

  it("without input are told at their end, at an edit of theirs, or at the end of the turn", () => {
    const events = said(
      start("a"),
      start("b"),
      start("c"),
      { type: "tool.output", call: "a", output: 1, preliminary: true },
      { type: "file.edited", path: "x", kind: "changed", call: "b" },
      { type: "tool.failed", call: "a", error: "no" },
    );
    expect(events).toEqual([
      { type: "tool_call", name: "look", args: {} },
      { type: "file_edit", file: "/project/x" },
      { type: "tool_call", name: "look", args: {} },
      { type: "tool_call", name: "look", args: {} },
    ]);
  });

  it("have arguments that are an object, whatever their input is", () => {
    const inputs = [{ a: 1 }, [1], "text", null].flatMap((input, place) => [
      start(`${place}`),
      { type: "tool.input", call: `${place}`, input },
    ]);
    expect(said(...inputs).map(({ args }) => args)).toEqual([
      { a: 1 },
      { input: [1] },
      { input: "text" },
      {},
    ]);
  });

  it("of sub-agents are not shown, nor what these say, but the files they change are", () => {
    const by = { parent: "c" };
    const events = said(
      start("c", "task"),
      { type: "tool.input", call: "c", input: {} },
      { ...start("d"), ...by },
      { type: "tool.input", call: "d", input: {}, ...by },
      { ...chat("p", "inner"), ...by },
      { type: "file.edited", path: "/project/y", kind: "created", ...by },
    );
    expect(events.map(({ type }) => type)).toEqual(["tool_call", "file_edit"]);
  });
});

describe("edits", () => {
  const edit = (body: object) => said({ type: "file.edited", kind: "changed", path: "a.txt", ...body });

  it.each([
    [
      "of git",
      "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n",
    ],
    ["of a new file", "--- /dev/null\n+++ a.txt\n@@ -1 +1 @@\n-x\n+y\n"],
    ["without any", "@@ -1 +1 @@\n-x\n+y\n"],
  ])("have absolute paths in their headers: %s", (_, diff) => {
    expect(edit({ diff })).toEqual([
      {
        type: "file_edit",
        file: "/project/a.txt",
        diff: "--- a//project/a.txt\n+++ b//project/a.txt\n@@ -1 +1 @@\n-x\n+y\n",
      },
    ]);
  });

  it("of a moved file are two", () => {
    expect(edit({ kind: "moved", from: "/project/old.txt" }).map(({ file }) => file)).toEqual([
      "/project/old.txt",
      "/project/a.txt",
    ]);
  });
});

describe("a response", () => {
  it("is that of its own prompt alone", () => {
    const view = new ResponseView({ dialog: "01J", cwd: "/project", to: { prompt: "v" } });
    const frames = logOf([
      ACCEPTED,
      { ...ACCEPTED, message: "v" },
      DISPATCHED,
      chat("p", "not for v"),
      ENDED,
      { ...DISPATCHED, message: "v", turn: "t2", checkpoint: undefined },
      { ...chat("q", "for v"), turn: "t2" },
      { ...chat("q", "late"), turn: "t" },
      { ...ENDED, turn: "t2" },
    ]).flatMap((event) => [...view.add(event)]);
    const events = expectGrammar(frames);
    expect(events[0]).toEqual({ type: "user", content: "Do it", dialog_id: "01J" });
    expect(events.map(({ content }) => content)).toEqual(["Do it", undefined, "for v", undefined, undefined]);
  });

  it.each([
    ["failed", { error: { code: "x", message: "It broke." } }, "It broke."],
    ["interrupted", {}, "The turn was stopped."],
    ["limit", {}, "The turn ended because a limit was reached."],
    ["refused", {}, "The model refused to answer."],
  ])("of a turn that was %s ends with an error", (outcome, more, error) => {
    const view = new ResponseView({ dialog: "01J", cwd: "/project" });
    const log = logOf([ACCEPTED, DISPATCHED, { ...ENDED, outcome, ...more }]);
    const events = expectGrammar(log.flatMap((event) => [...view.add(event)]));
    expect(events.slice(1)).toMatchObject([{ type: "error", error }, { type: "done" }]);
  });

  it.each([
    ["withdrawn", { type: "prompt.withdrawn", message: "u" }],
    ["in a session that is closed", { type: "session.closed" }],
  ])("of a prompt that is %s ends with an error", (_, body) => {
    const view = new ResponseView({ dialog: "01J", cwd: "/project" });
    const events = expectGrammar(logOf([ACCEPTED, body]).flatMap((event) => [...view.add(event)]));
    expect(events.map(({ type }) => type)).toEqual(["user", "error", "done"]);
  });

  it("to an answer goes on although another ask of the turn was answered first, and ends where one is open", () => {
    const ask = (id: string) => ({
      type: "ask.opened",
      ask: id,
      kind: "question",
      title: `Ask ${id}?`,
      options: [{ id: "y", label: "Yes", effect: "once" }],
    });
    const answered = (id: string) => ({ type: "ask.answered", ask: id, by: "x", option: "y" });
    const rest = (...bodies: readonly object[]) => {
      const view = new ResponseView({ dialog: "01J", cwd: "/project", to: { ask: "1" } });
      return logOf(bodies).flatMap((event) => [...view.add(event)]);
    };
    const whole = expectGrammar(
      rest(ask("1"), ask("2"), answered("2"), answered("1"), chat("p", "on"), ENDED),
    );
    expect(whole.map(({ content }) => content).filter(Boolean)).toEqual(["Yes", "on"]);
    const cut = expectGrammar(rest(ask("2"), ask("1"), answered("1"), chat("p", "on"), ENDED));
    expect(cut.map(({ content }) => content).filter(Boolean)).toEqual([
      "Yes",
      expect.stringContaining("Ask 2?"),
    ]);
  });
});

it("an ask about an edit shows what would change, in a fence that the edit cannot end", () => {
  const diff = "--- /project/a.md\n+++ /project/a.md\n@@ -149,2 +149,2 @@\n ```\n-old\n+new\n";
  const changes = [{ path: "/project/a.md", kind: "changed", diff }];
  const options = [{ id: "y", label: "Yes", effect: "once" }];
  const ask = { type: "ask.opened", ask: "q", kind: "permission", title: "Edit a.md", changes, options };
  const record = { id: "a", role: "assistant" as const, at: 0, turn: "t", events: logOf([ask]) };
  const [entry] = historyEntries(record, 1, { cwd: "/project", page: "", canApprovePlans: true });
  expect(entry?.event).toMatchObject({
    content: `Edit a.md\n\n\`\`\`\`diff\n${diff}\`\`\`\`\n\n- Yes\n\nThis is not decided by a message. Answer it elsewhere.`,
  });
});

it("the history says what the stream said, in its order", () => {
  const events = logOf([
    { type: "message.started", replyTo: "u", model: "m1" },
    { type: "reasoning.delta", part: "r", delta: "hm" },
    chat("p", "a"),
    chat("p", "b"),
    start("c"),
    { type: "tool.input", call: "c", input: { x: 1 } },
    chat("q", "z"),
    { ...chat("l", "late"), turn: undefined, task: "k" },
  ]);
  const record = { id: "a", role: "assistant" as const, at: 0, turn: "t", events };
  const entries = historyEntries(record, 1, { cwd: "/project", page: "", canApprovePlans: true });
  expect(entries.map(({ event }) => event)).toEqual([
    { type: "reasoning", content: "hm", model_name: "m1" },
    { type: "chat", content: "ab", idx: 3 },
    { type: "tool_call", id: "c", name: "look", args: { x: 1 } },
    { type: "chat", content: "z", idx: 7 },
  ]);
});

it("the places in a history grow, also where a person answers while the agent speaks", () => {
  const ask = { type: "ask.opened", ask: "q", kind: "plan", title: "So?", options: [] };
  const events = logOf([
    ask,
    chat("p", "Meanwhile, "),
    { type: "ask.answered", ask: "q", option: "yes", by: "owner" },
    chat("p", "on it goes."),
    { type: "text.end", part: "p" },
  ]);
  const record = { id: "a", role: "assistant" as const, at: 0, turn: "t", events };
  const entries = historyEntries(record, 1, { cwd: "/project", page: "", canApprovePlans: true });
  expect(entries.map(({ seq, event }) => [seq, event.type])).toEqual([
    [1, "chat"],
    [2, "chat"],
    [3, "user"],
    [4, "chat"],
  ]);
});
