import { expect, test } from "vitest";
import type { SessionEvent } from "../api/types.ts";
import { firstPromptOf, firstPromptSince } from "./first-prompts.ts";

function firstPrompt(...events: object[]): string | undefined {
  return firstPromptOf(events as SessionEvent[]);
}

const created = { type: "session.created" };

test("the first prompt is on one line, from its texts only", () => {
  const parts = [
    { type: "text", text: "Fix\nthe login" },
    { type: "file" },
    { type: "text", text: "please" },
  ];
  const second = { type: "prompt.accepted", parts: [{ type: "text", text: "And then?" }] };
  expect(firstPrompt(created, { type: "prompt.accepted", parts }, second)).toBe("Fix the login please");
});

test("without a prompt, or with one that has no words, there is none", () => {
  expect(firstPrompt()).toBeUndefined();
  expect(firstPrompt(created)).toBeUndefined();
  expect(firstPrompt({ type: "prompt.accepted", parts: [{ type: "file" }] })).toBeUndefined();
});

test("of a fork it is the first one since it was made, where these messages reach back so far", () => {
  const said = (role: "user" | "assistant", createdAt: number, text: string) => ({
    role,
    createdAt,
    content: [{ type: "text" as const, part: "p1", text }],
  });
  const messages = [said("user", 1, "Copied"), said("assistant", 2, "Yes."), said("user", 10, "Own")];
  expect(firstPromptSince(5, { messages, hasMore: true })).toBe("Own");
  expect(firstPromptSince(11, { messages, hasMore: false })).toBeUndefined();
  expect(firstPromptSince(0, { messages, hasMore: true })).toBeUndefined();
  expect(firstPromptSince(0, { messages, hasMore: false })).toBe("Copied");
});
