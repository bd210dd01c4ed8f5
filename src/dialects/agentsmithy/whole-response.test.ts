/** An answer without a stream, of any length. */
import { expect, test } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { SmithyEvent } from "./event.ts";
import type { ResponseView } from "./outbound.ts";
import { WholeResponseView } from "./whole-response.ts";

function wholeOf(events: readonly SmithyEvent[], maxLength = 100) {
  const response = { encode: (event: unknown) => [event as SmithyEvent] } as unknown as ResponseView;
  const view = new WholeResponseView(response, "01J", maxLength);
  for (const event of events) expect(view.add(event as unknown as SessionEvent)).toEqual([]);
  return view.whole;
}

function said(...texts: readonly string[]): SmithyEvent[] {
  const pieces = texts.map((content) => ({ type: "chat" as const, content }));
  return [{ type: "chat_start" }, ...pieces, { type: "chat_end" }];
}

test("has the texts alone, with an empty line between segments", () => {
  const user: SmithyEvent = { type: "user", content: "u".repeat(1000), checkpoint: "c" };
  expect(wholeOf([user, ...said("a", "b"), ...said("c"), { type: "done", done: true }])).toEqual({
    content: "ab\n\nc",
    done: true,
    metadata: { dialog_id: "01J", checkpoint: "c" },
  });
});

test("one that is too long says so, and has what fits", () => {
  const { content, metadata } = wholeOf(said("x".repeat(90), "y".repeat(90)));
  expect(content).toBe("x".repeat(90) + "y".repeat(10));
  expect(metadata.error).toMatch(/longer than 100 characters.*history/);
});

test("why the turn failed is told beside that", () => {
  const { metadata } = wholeOf([...said("x".repeat(101)), { type: "error", error: "It failed." }]);
  expect(metadata.error).toMatch(/^It failed\. The answer is longer/);
});
