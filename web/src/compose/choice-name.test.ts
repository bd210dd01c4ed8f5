import { expect, test } from "vitest";
import { choiceName } from "./choice-name.ts";

test.each([
  [{ id: "build" }, "Build"],
  [{ id: "medium", name: "medium" }, "Medium"],
  [{ id: "claude-opus-5-5" }, "Claude Opus 5.5"],
  [{ id: "claude-sonnet-4-20250514" }, "Claude Sonnet 4 20250514"],
  [{ id: "gpt-5", name: "GPT-5" }, "GPT-5"],
  [{ id: "anthropic/claude-opus" }, "anthropic/claude-opus"],
  [{ id: "XHigh" }, "XHigh"],
])("%j is called %s", (choice, name) => {
  expect(choiceName(choice)).toBe(name);
});
