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

test("a title that the agent gives is shown as it is, also where it comes before the input", () => {
  expect(written({ ...started, title: "Run the tests" }, input)).toBe("● Run the tests\n");
  const updated = { type: "tool.updated", call: "c1", title: "Run the tests" };
  expect(written(started, updated, input)).toBe("● Run the tests\n");
});
