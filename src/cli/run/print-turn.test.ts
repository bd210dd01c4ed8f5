import { expect, test } from "vitest";
import type { SessionEvent } from "../../sdk/index.ts";
import { TurnPrinter } from "./print-turn.ts";
import { TerminalOutput } from "./terminal-output.ts";

/** What is written of these events, without colours. */
function written(...events: object[]): string {
  let all = "";
  const output = new TerminalOutput();
  output.write = (_, text) => {
    all += text;
  };
  const printer = new TurnPrinter(output);
  for (const event of events) printer.print(event as SessionEvent);
  return all;
}

const started = { type: "tool.start", call: "c1", name: "bash" };
const input = { type: "tool.input", call: "c1", input: { description: "Tests", command: "npm test\nexit" } };

test("a tool without a title is shown with what it is to do", () => {
  expect(written(started, input)).toBe("● bash: npm test\n");
  expect(written(started, { ...input, input: { filePath: "a.ts" } })).toBe("● bash: a.ts\n");
  expect(written(started, { ...input, input: "npm test" })).toBe("● bash\n");
});

test("a command that failed does not look as if it had worked", () => {
  const output = { type: "tool.output", call: "c1", output: { stdout: "" } };
  expect(written(started, input, { ...output, exitCode: 3 })).toBe(
    "● bash: npm test\n✗ bash: npm test: exit 3\n",
  );
  for (const fine of [{}, { exitCode: 0 }, { exitCode: null }, { exitCode: 3, preliminary: true }])
    expect(written(started, input, { ...output, ...fine })).toBe("● bash: npm test\n");
});

test("a refusal is told with its reason", () => {
  const denied = { type: "tool.denied", call: "c1" };
  expect(written(started, denied)).toBe("✗ bash: not allowed\n");
  expect(written(started, { ...denied, reason: "In mode plan nothing is changed.\nAsk." })).toBe(
    "✗ bash: not allowed (In mode plan nothing is changed.)\n",
  );
});

test("a conversation that is summarised says so, and why not if it failed", () => {
  const ended = { type: "compaction.ended" };
  expect(written({ ...ended, summary: "s" })).toBe("(The conversation was summarised.)\n");
  expect(written({ ...ended, tokensBefore: 900, tokensAfter: 90 })).toBe(
    "(The conversation was summarised. It had 900 tokens and has 90 now.)\n",
  );
  const skipped = { ...ended, skipped: "The summary was skipped: it is short." };
  expect(written({ type: "compaction.started" }, skipped)).toBe("(The summary was skipped: it is short.)\n");
  expect(written({ ...ended, error: "overloaded" })).toBe(
    "The conversation was not summarised: overloaded\n",
  );
});

test("a turn whose conversation needs no summary says nothing of summaries", () => {
  expect(written({ type: "compaction.ended", skipped: "It is short." })).toBe("");
});

test("a title that the agent gives is shown as it is, also where it comes before the input", () => {
  expect(written({ ...started, title: "Run the tests" }, input)).toBe("● Run the tests\n");
  const updated = { type: "tool.updated", call: "c1", title: "Run the tests" };
  expect(written(started, updated, input)).toBe("● Run the tests\n");
});
