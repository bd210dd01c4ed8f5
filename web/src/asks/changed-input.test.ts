import fc from "fast-check";
import { expect, test } from "vitest";
import { changedInput, inputFields } from "./changed-input.ts";

test("of a command only the command is changed", () => {
  const input = { command: "npm test", description: "Tests", timeout: 5 };
  expect(inputFields(input)).toEqual([{ name: "command", text: "npm test" }]);
  expect(changedInput(input, [{ name: "command", text: "npm run lint" }])).toEqual({
    input: { command: "npm run lint", description: "Tests", timeout: 5 },
  });
});

test("a small flat input is changed field by field, each in its type", () => {
  const input = { path: "a.txt", lines: 3, force: false };
  const fields = inputFields(input);
  expect(fields.map(({ name }) => name)).toEqual(["path", "lines", "force"]);
  const changed = fields.map((field) => (field.name === "lines" ? { ...field, text: "4" } : field));
  expect(changedInput(input, changed)).toEqual({ input: { path: "a.txt", lines: 4, force: false } });
  const wrong = fields.map((field) => (field.name === "lines" ? { ...field, text: "many" } : field));
  expect(changedInput(input, wrong)).toEqual({ problem: "“lines” has to be a number." });
});

test("anything else is JSON, and has to stay an object", () => {
  const input = { edits: [{ old: "a", new: "b" }] };
  const [field] = inputFields(input);
  expect(JSON.parse(field!.text)).toEqual(input);
  expect(changedInput(input, [{ text: '{"edits":[]}' }])).toEqual({ input: { edits: [] } });
  for (const text of ["[]", "null", '"text"', "7"])
    expect(changedInput(input, [{ text }])).toEqual({
      problem: "This has to be an object: { and } around all of it.",
    });
});

test.each([
  ['{\n  "a": 1,\n  "b" 2\n}', "This is not valid JSON: look at line 3."],
  ['{"a": 1', "This is not valid JSON: look at line 1."],
  ["", "This is not valid JSON: something is missing at its end."],
])("%j is refused in plain words", (text, problem) => {
  expect(changedInput({ edits: [] }, [{ text }])).toEqual({ problem });
});

test("an empty command is none", () => {
  expect(changedInput({ command: "ls" }, [{ name: "command", text: " \n" }])).toEqual({
    problem: "There is no command. Write one, or cancel and deny it.",
  });
});

test("what nobody changed stays the same", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
      // JSON has no minus zero.
      const same = JSON.parse(JSON.stringify(input));
      fc.pre(![same.command, same.cmd].some((command) => typeof command === "string" && !command.trim()));
      expect(changedInput(same, inputFields(same))).toEqual({ input: same });
    }),
  );
});
