import { describe, expect, it } from "vitest";
import { type ChatPost, chatIntent } from "./inbound.ts";

const user = (id: string, text: string) => ({ id, role: "user", parts: [{ type: "text", text }] });
const assistant = (id: string, ...parts: { type: string; [field: string]: unknown }[]) => ({
  id,
  role: "assistant",
  parts,
});

const submit = (post: Partial<ChatPost>) => chatIntent({ trigger: "submit-message", ...post });
const regenerate = (post: Partial<ChatPost>) => chatIntent({ trigger: "regenerate-message", ...post });

const approved = (id: string, more: object = {}) => ({
  type: "tool-Bash",
  toolCallId: `c-${id}`,
  state: "approval-responded",
  approval: { id, approved: true, ...more },
});

describe("a prompt", () => {
  const parts = [{ type: "text", text: "hi" }];

  it("is the last message, alone or after the history, or a text", () => {
    const history = [user("m1", "before"), assistant("a1"), user("m2", "hi")];
    expect(submit({ messages: history })).toEqual({ type: "prompt", id: "m2", parts });
    expect(submit({ message: user("m2", "hi") })).toEqual({ type: "prompt", id: "m2", parts });
    expect(submit({ message: "hi" })).toEqual({ type: "prompt", parts });
  });

  it("is an edit when the request names its id", () => {
    expect(submit({ messages: [user("m2", "hi")], messageId: "m2" })).toEqual({
      type: "edit",
      id: "m2",
      parts,
    });
  });

  it("keeps texts and files, and nothing of the client's own", () => {
    const file = { type: "file", url: "data:text/plain,x", mediaType: "text/plain" };
    const message = { id: "m", role: "user", parts: [file, { type: "data-mine", data: 1 }, ...parts] };
    expect(submit({ message })).toMatchObject({ parts: [file, ...parts] });
    expect(() => submit({ message: { ...message, parts: [{ type: "file", url: "x" }] } })).toThrow(
      "not complete",
    );
    expect(() => submit({ message: { ...message, parts: [] } })).toThrow("says nothing");
    expect(() => submit({ message: { ...message, id: "no spaces" } })).toThrow("The id of a message");
  });
});

describe("another answer", () => {
  it("is to the last prompt of the request, or in place of the message that is named", () => {
    expect(regenerate({ messages: [user("m1", "hi")], messageId: "a1" })).toEqual({
      type: "regenerate",
      prompt: { id: "m1", parts: [{ type: "text", text: "hi" }] },
      answer: "a1",
    });
    expect(regenerate({ message: assistant("a1") })).toEqual({ type: "regenerate", answer: "a1" });
  });

  it("is not to be had of what the agent said by itself", () => {
    const system = { id: "s1", role: "system", parts: [] };
    expect(() => regenerate({ messages: [user("m1", "hi"), assistant("a1"), system] })).toThrow("by itself");
  });
});

describe("answers", () => {
  const replies = (post: Partial<ChatPost>, questions: { id: string; text: string }[] = []) => {
    const intent = submit(post);
    if (intent.type !== "answer") throw new Error(intent.type);
    return intent.answers.map(({ ask, say }) => ({ ask, ...say(questions) }));
  };

  it("are the approvals that wait to be taken, with the person's words", () => {
    const settled = { ...approved("old"), state: "output-available" };
    const denied = approved("q2", { approved: false, reason: "no" });
    expect(replies({ messages: [user("m", "x"), assistant("a", settled, approved("q1"), denied)] })).toEqual([
      { ask: "q1", reply: "once" },
      { ask: "q2", reply: "reject", message: "no" },
    ]);
  });

  it("are the outputs of questions, in full or in short", () => {
    const answer = (output: unknown) => {
      const part = { type: "tool-question", toolCallId: "question_q1", state: "output-available", output };
      return replies({ message: assistant("a", part) }, [{ id: "colour", text: "?" }])[0]!.answers;
    };
    expect(answer({ colour: ["red"] })).toEqual({ colour: ["red"] });
    expect(answer({ colour: "red" })).toEqual({ colour: ["red"] });
    expect(answer(["red", "blue"])).toEqual({ colour: ["red", "blue"] });
    expect(answer("red")).toEqual({ colour: ["red"] });
    expect(answer(7)).toEqual({ colour: ["7"] });
    const failed = {
      type: "tool-question",
      toolCallId: "question_q1",
      state: "output-error",
      errorText: "no idea",
    };
    expect(replies({ message: assistant("a", failed) })).toEqual([
      { ask: "q1", reply: "reject", message: "no idea" },
    ]);
  });

  it("may stand in a message that others follow, when the request names it", () => {
    const messages = [assistant("a", approved("q1")), user("m", "and then?")];
    expect(replies({ messages, messageId: "a" })).toEqual([{ ask: "q1", reply: "once" }]);
  });

  it("come with every ask the client was shown, and tell which step they are in", () => {
    const intent = submit({
      message: assistant(
        "a",
        { type: "data-ask", id: "q0", data: {} },
        approved("q1"),
        { type: "step-start" },
        approved("q2"),
        { type: "tool-question", toolCallId: "question_q3", state: "input-available" },
      ),
    });
    expect(intent).toMatchObject({ type: "answer", shown: new Set(["q0", "q1", "q2", "q3"]) });
    expect(intent.type === "answer" && intent.answers.map(({ isLatest }) => isLatest)).toEqual([false, true]);
  });

  it("are required of a message of the assistant", () => {
    expect(() => submit({ message: assistant("a", { type: "text", text: "done" }) })).toThrow(
      "nothing to send",
    );
    expect(() => submit({ message: { id: "s", role: "system", parts: [] } })).toThrow("must be the user's");
    expect(() => submit({ messages: [] })).toThrow("no message");
  });
});
