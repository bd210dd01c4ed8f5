import { expect, test } from "vitest";
import { messageText } from "./message-text.ts";
import type { ChatMessage, UIMessagePart } from "./page-message.ts";

function say(...parts: UIMessagePart[]): string {
  return messageText({ id: "m", role: "assistant", parts: parts as ChatMessage["parts"] });
}

function text(value: string, part?: string): UIMessagePart {
  return { type: "text", text: value, ...(part && { providerMetadata: { interlingua: { part } } }) };
}

test("what was taken back is neither copied nor quoted", () => {
  const discarded = { parts: ["p1"], calls: ["p2"], reason: "the connection was lost" };
  expect(
    say(
      text("It is forty-", "p1"),
      { type: "data-discarded", id: "7", data: discarded },
      text("It is 42.", "p2"),
    ),
  ).toBe("It is 42.");
});

test("texts are paragraphs, without thoughts and empty ones", () => {
  expect(say(text(" one "), { type: "reasoning", text: "hm" }, text(" "), text("two"))).toBe("one\n\ntwo");
});
