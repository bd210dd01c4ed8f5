import { expect, test } from "vitest";
import type { ChatMessage } from "./page-message.ts";
import { splitSteered } from "./split-steered.ts";

function user(id: string, turn?: string): ChatMessage {
  return { id, role: "user", metadata: { turn }, parts: [{ type: "text", text: id }] };
}

function answer(id: string, turn: string, ask?: "open" | "answered"): ChatMessage {
  const data = { ask: "a1", kind: "permission" as const, title: "Run it?", options: [] };
  const parts: ChatMessage["parts"] = ask
    ? [{ type: "data-ask", id: "a1", data: { ...data, state: ask } }]
    : [];
  return { id, role: "assistant", metadata: { turn }, parts };
}

test.each<[string, ChatMessage[], string[]]>([
  ["nothing", [], []],
  ["a turn that ended", [user("u1", "t1"), answer("m1", "t1")], []],
  ["the prompt of a turn", [user("u1", "t1"), answer("m1", "t1"), user("u2", "t2")], []],
  ["a prompt on its way", [user("u1", "t1"), user("u2")], []],
  ["a message is being written", [user("u1", "t1"), user("u2", "t1"), user("u3", "t1")], ["u2", "u3"]],
  ["a message waits", [user("u1", "t1"), user("u2", "t1"), answer("m1", "t1", "open")], ["u2"]],
  ["a message has waited", [user("u1", "t1"), user("u2", "t1"), answer("m1", "t1", "answered")], []],
  ["one was taken up", [user("u1", "t1"), answer("m1", "t1"), user("u2", "t1")], []],
  ["one was taken up, one not", [answer("m1", "t1"), user("u2", "t1"), user("u3", "t1")], ["u3"]],
])("%s", (_, history, expected) => {
  const { messages, steered } = splitSteered(history);
  expect(steered.map(({ id }) => id)).toEqual(expected);
  expect(messages).toEqual(history.filter(({ id }) => !expected.includes(id)));
});
