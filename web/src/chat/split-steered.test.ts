import { expect, test } from "vitest";
import type { ChatMessage } from "./page-message.ts";
import { splitSteered } from "./split-steered.ts";

function user(id: string, turn?: string): ChatMessage {
  return { id, role: "user", metadata: { turn }, parts: [{ type: "text", text: id }] };
}

function answer(id: string, turn: string, ask?: "open" | "answered"): ChatMessage {
  const parts: ChatMessage["parts"] = ask ? [{ type: "data-ask", id: "a1", data: { state: ask } }] : [];
  return { id, role: "assistant", metadata: { turn }, parts };
}

test.each<[string, ChatMessage[], number]>([
  ["nothing", [], 0],
  ["a turn that ended", [user("u1", "t1"), answer("m1", "t1")], 0],
  ["the prompt of a turn", [user("u1", "t1"), answer("m1", "t1"), user("u2", "t2")], 0],
  ["a prompt on its way", [user("u1", "t1"), user("u2")], 0],
  ["a message is being written", [user("u1", "t1"), user("u2", "t1"), user("u3", "t1")], 2],
  ["a message waits", [user("u1", "t1"), answer("m1", "t1", "open"), user("u2", "t1")], 1],
  ["one was taken up", [user("u1", "t1"), answer("m1", "t1"), user("u2", "t1")], 0],
  [
    "one was taken up, one not",
    [user("u1", "t1"), answer("m1", "t1"), user("u2", "t1"), user("u3", "t1")],
    1,
  ],
  ["asked and taken up", [user("u1", "t1"), answer("m1", "t1", "answered"), user("u2", "t1")], 0],
])("%s", (_, history, count) => {
  const { messages, steered } = splitSteered(history);
  expect(steered).toHaveLength(count);
  expect([...messages, ...steered]).toEqual(history);
});
