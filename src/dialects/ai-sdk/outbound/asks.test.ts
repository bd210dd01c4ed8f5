import { describe, expect, it } from "vitest";
import type { Draft } from "../../../core/draft.ts";
import { foldMessages } from "../../../core/fold-messages.ts";
import { Conversation, call, NO, permission, text, YES } from "../../../testkit/conversation.ts";
import { liveChunks } from "../expect-consistent.test-support.ts";
import { askOf, splitSegments } from "../segments.ts";
import { toUIMessage } from "../to-ui-message.ts";

const begin = (...drafts: Draft[]) => new Conversation().prompt().agent({ type: "step.started" }, ...drafts);

function segmentsOf(conversation: Conversation) {
  return splitSegments(liveChunks(conversation.log, "m1"));
}

/** The types of a segment's chunks, tools with what they are about. */
function outline(segment: readonly object[] | undefined): string[] {
  return (segment ?? []).map((chunk) => {
    const { type, toolCallId } = chunk as { type: string; toolCallId?: string };
    return toolCallId === undefined ? type : `${type} ${toolCallId}`;
  });
}

describe("an ask about the only unfinished call", () => {
  const conversation = begin(...call("c", "Bash", { command: "ls" }), permission("q", "c"));

  it("stands on the call itself and ends the segment", () => {
    const [segment] = segmentsOf(conversation);
    expect(outline(segment)).toEqual([
      "start",
      "start-step",
      "tool-input-start c8",
      "tool-input-available c8",
      "data-ask",
      "tool-input-available c8",
      "tool-approval-request c8",
      "finish-step",
      "finish",
    ]);
    expect(askOf(segment!)).toBe("a10");
    expect(segment?.at(-1)).toEqual({ type: "finish", finishReason: "tool-calls" });
  });

  it("takes the flag off that keeps older clients from answering", () => {
    const inputs = segmentsOf(conversation)[0]?.filter((chunk) => chunk.type === "tool-input-available");
    expect(inputs).toMatchObject([{ providerExecuted: true }, { providerExecuted: false }]);
  });

  it("goes on in a segment that begins with the same message and repeats no input", () => {
    const [, segment] = segmentsOf(
      begin(...call("c", "Bash", {}), permission("q", "c"))
        .answer(YES)
        .agent({ type: "tool.output", call: "c", output: 1 }, ...text("p", "ok")),
    );
    expect(segment?.[0]).toEqual({ type: "start", messageId: "m1" });
    expect(outline(segment).slice(1, 5)).toEqual([
      "data-ask",
      "tool-output-available c8",
      "start-step",
      "text-start",
    ]);
  });

  it("denies the call when it was declined", () => {
    const [, segment] = segmentsOf(begin(...call("c", "Bash", {}), permission("q", "c")).answer(NO));
    expect(outline(segment)).toEqual(["start", "data-ask", "tool-output-denied c8"]);
    expect(segment?.[1]).toMatchObject({
      data: {
        state: "answered",
        answer: { option: "no", effect: "reject", message: "not now", by: "owner" },
      },
    });
  });

  it("makes up the input that did not come", () => {
    const [segment] = segmentsOf(
      begin(
        { type: "tool.start", call: "c", name: "Bash" },
        { type: "tool.input.delta", call: "c", delta: '{"command":"l' },
        permission("q", "c"),
      ),
    );
    expect(segment?.findLast((chunk) => chunk.type === "tool-input-available")).toMatchObject({
      input: { command: "l" },
    });
  });
});

describe("an ask with an unfinished sibling", () => {
  const siblings = [...call("c", "Search", {}), ...call("d", "Bash", { command: "ls" })];

  it("stands on a call of its own, in a step of its own", () => {
    const [segment] = segmentsOf(begin(...siblings, permission("q", "d")));
    expect(outline(segment).slice(-7)).toEqual([
      "finish-step",
      "start-step",
      "data-ask",
      "tool-input-available permission_a12",
      "tool-approval-request permission_a12",
      "finish-step",
      "finish",
    ]);
    expect(segment?.at(-4)).toMatchObject({
      toolName: "permission",
      input: {
        toolCallId: "c10",
        toolName: "Bash",
        input: { command: "ls" },
        options: [{ id: "yes" }, {}, {}],
      },
    });
    expect(segment?.at(-4)).not.toHaveProperty("providerExecuted");
  });

  it("is settled before the call it is about", () => {
    const [, segment] = segmentsOf(
      begin(...siblings, permission("q", "d"))
        .answer(YES)
        .agent({ type: "tool.output", call: "d", output: "" }),
    );
    expect(outline(segment).slice(2)).toEqual([
      "tool-output-available permission_a12",
      "tool-output-available c10",
    ]);
  });

  it("fails the call with the person's words when it was declined", () => {
    const [, segment] = segmentsOf(begin(...siblings, permission("q", "d")).answer(NO));
    expect(outline(segment).slice(2)).toEqual(["tool-output-denied permission_a12", "tool-output-error c10"]);
    expect(segment?.at(-1)).toMatchObject({ errorText: "not now" });
  });

  it("shares its step with the ask that follows it", () => {
    const [, segment] = segmentsOf(begin(...siblings, permission("q", "d"), permission("r", "c")));
    expect(outline(segment)).toEqual([
      "start",
      "data-ask",
      "tool-input-available permission_a13",
      "tool-approval-request permission_a13",
      "finish",
    ]);
  });

  it("does not share its step once something else has begun", () => {
    const segments = segmentsOf(
      begin(...siblings, permission("q", "d"))
        .answer(YES)
        .agent(...text("p", "hm"), permission("r", "c")),
    );
    expect(outline(segments[1])).toContain("start-step");
    expect(outline(segments[1]).slice(-6)).toContain("start-step");
  });

  it("can stand on its call when the sibling has finished", () => {
    const [segment] = segmentsOf(
      begin(...siblings, { type: "tool.output", call: "c", output: "" }, permission("q", "d")),
    );
    expect(outline(segment)).toContain("tool-approval-request c10");
  });
});

describe("an ask while the input of a sibling is on its way", () => {
  const streaming: Draft[] = [
    { type: "tool.start", call: "c", name: "Bash" },
    { type: "tool.input.delta", call: "c", delta: "{}" },
    { type: "tool.input", call: "c", input: {} },
    { type: "tool.start", call: "d", name: "Write" },
  ];

  it("waits for it: the rest could not be given in another step", () => {
    const conversation = begin(...streaming, permission("q", "c"));
    expect(segmentsOf(conversation).flatMap(outline)).not.toContain("finish");
    conversation.agent({ type: "tool.input.delta", call: "d", delta: '{"a":1}' });
    expect(segmentsOf(conversation).flatMap(outline)).not.toContain("finish");
    conversation.agent({ type: "tool.input", call: "d", input: { a: 1 } });
    expect(askOf(segmentsOf(conversation)[0]!)).toBe("a12");
  });

  it("is not shown at all when it is closed before", () => {
    const conversation = begin(...streaming, permission("q", "c")).answer(NO);
    const types = segmentsOf(conversation).flatMap(outline);
    expect(types).not.toContain("finish");
    expect(types.slice(-2)).toEqual(["data-ask", "tool-output-error c8"]);
  });

  it("is not shown either when it is answered before", () => {
    const conversation = begin(...streaming, permission("q", "c"))
      .act((machine) => machine.answerAsk("a12", YES, "owner"))
      .agent({ type: "tool.input", call: "d", input: {} });
    expect(segmentsOf(conversation).flatMap(outline)).not.toContain("finish");
  });

  it("does not wait with an agent that gives no inputs", () => {
    const conversation = begin(
      { type: "tool.start", call: "c", name: "a" },
      { type: "tool.start", call: "d", name: "b" },
      permission("q", "c"),
    );
    expect(askOf(segmentsOf(conversation)[0]!)).toBe("a10");
  });

  it("tells input that came too late beside the part", () => {
    const conversation = begin(
      { type: "tool.start", call: "c", name: "a" },
      { type: "tool.start", call: "d", name: "b" },
      permission("q", "c"),
      { type: "tool.input", call: "d", input: { late: true } },
    );
    expect(segmentsOf(conversation)[1]).toContainEqual({
      type: "data-tool-update",
      id: "c9",
      data: { call: "c9", name: "b", input: { late: true } },
    });
  });
});

describe("other asks", () => {
  it("without a call stand on one of ours", () => {
    const [segment] = segmentsOf(begin(permission("q")));
    expect(outline(segment)).toContain("tool-approval-request permission_a8");
  });

  it("cut an open text, which goes on after them", () => {
    const conversation = begin({ type: "text.delta", part: "p", delta: "a" }, permission("q")).answer(YES);
    conversation.agent({ type: "text.delta", part: "p", delta: "b" });
    const [first, second] = segmentsOf(conversation);
    expect(outline(first).slice(2, 6)).toEqual(["text-start", "text-delta", "text-end", "finish-step"]);
    expect(outline(second).slice(-3)).toEqual(["start-step", "text-start", "text-delta"]);
  });

  it("that are questions are calls for the client, and their output is the answer", () => {
    const questions = [{ id: "q1", text: "Which?" }];
    const conversation = begin({
      type: "ask.opened",
      ask: "q",
      kind: "question",
      title: "Which?",
      options: [],
      questions,
    });
    const [segment] = segmentsOf(conversation);
    expect(outline(segment)).not.toContain("tool-approval-request question_a8");
    expect(segment).toContainEqual({
      type: "tool-input-available",
      toolCallId: "question_a8",
      toolName: "question",
      title: "Which?",
      input: { ask: "a8", title: "Which?", options: [], questions },
    });
    conversation.answer({ answers: { q1: ["A"] } });
    expect(segmentsOf(conversation)[1]).toContainEqual({
      type: "tool-output-available",
      toolCallId: "question_a8",
      output: { q1: ["A"] },
    });
  });

  it("of background work are only told: they do not hold up the turn", () => {
    const conversation = begin(
      ...call("c", "Bash", {}),
      { type: "task.started", task: "k", title: "serve", call: "c" },
      { type: "tool.output", call: "c", output: "", running: true },
      { ...permission("q"), task: "k" },
      ...text("p", "on it goes"),
    );
    const segments = segmentsOf(conversation);
    expect(segments).toHaveLength(1);
    expect(outline(segments[0])).toContain("data-ask");
    expect(outline(segments[0])).toContain("text-end");
  });

  it.each([
    ["expired", "tool-output-denied permission_a8"],
    ["cancelled", "tool-output-error permission_a8"],
  ] as const)("that are %s are settled too", (outcome, chunk) => {
    const conversation = begin(permission("q")).act((machine) => machine.closeAsk("a8", outcome, true));
    expect(outline(segmentsOf(conversation)[1])).toEqual(["start", "data-ask", chunk]);
  });
});

describe("an ask that comes before the input of its call", () => {
  const asked = begin(
    { type: "tool.start", call: "c", name: "bash" },
    { ...permission("q", "c"), detail: { command: "rm -r build" } },
  );
  const waiting = (conversation: Conversation) =>
    toUIMessage(foldMessages(conversation.log).find(({ role }) => role === "assistant")!);

  it("shows what the ask tells in place of an empty input", () => {
    const input = segmentsOf(asked)[0]?.findLast((chunk) => chunk.type === "tool-input-available");
    expect(input).toMatchObject({ input: { command: "rm -r build" } });
  });

  it("shows the changes it tells of", () => {
    const changes = [{ path: "/a", kind: "changed" as const, diff: "-a\n+b\n" }];
    const [segment] = segmentsOf(
      begin({ type: "tool.start", call: "c", name: "edit" }, { ...permission("q", "c"), changes }),
    );
    expect(segment?.findLast((chunk) => chunk.type === "tool-input-available")).toMatchObject({
      input: { changes },
    });
  });

  it("shows the input when it has come, to whoever reads the message while it waits", () => {
    const input = { command: "rm -r build", description: "Clean" };
    const conversation = begin(
      { type: "tool.start", call: "c", name: "bash" },
      { ...permission("q", "c"), detail: { command: "rm -r build" } },
      { type: "tool.input", call: "c", input },
      { type: "ask.updated", ask: "q", detail: input },
    );
    expect(waiting(conversation).parts).toContainEqual(
      expect.objectContaining({ type: "tool-bash", state: "approval-requested", input }),
    );
    expect(waiting(conversation).parts).toContainEqual(
      expect.objectContaining({
        type: "data-ask",
        data: expect.objectContaining({ state: "open", detail: input }),
      }),
    );
  });

  it("shows it also where a call of ours carries the ask", () => {
    const input = { path: "b" };
    const conversation = begin(
      ...call("c", "search", {}),
      { type: "tool.start", call: "d", name: "write" },
      permission("q", "d"),
      { type: "tool.input", call: "d", input },
    );
    expect(waiting(conversation).parts).toContainEqual(
      expect.objectContaining({ type: "tool-permission", input: expect.objectContaining({ input }) }),
    );
  });
});
