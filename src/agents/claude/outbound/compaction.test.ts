import { expect, test } from "vitest";
import { INITIAL_STATE } from "../conversation-state.ts";
import { afterBoundary, endCompaction } from "./compaction.ts";

function summaryOf(text: string): string | undefined {
  const [, [draft]] = endCompaction(afterBoundary(INITIAL_STATE), text);
  return draft?.type === "compaction.ended" ? draft.summary : undefined;
}

test("the summary is without what Claude Code puts around it", () => {
  const before = "This session is being continued from a previous one.\n\nSummary:\n";
  const reminder = "<system-reminder>Be brief.</system-reminder>\n";
  const after = "\n\n\nIf you need specific details from before compaction, read the transcript.\nContinue.";
  expect(summaryOf(`${before}1. A${reminder} file\n${reminder}2. A test${after}`)).toBe(
    "1. A file\n2. A test",
  );
});

test.each([
  ["line ends", "\n".repeat(500_000)],
  ["reminders that never end", "<system-reminder>".repeat(100_000)],
])("a summary of %s does not stop the event loop", (_name, text) => {
  expect(summaryOf(`${text}x`)).toBe(`${text}x`);
});
