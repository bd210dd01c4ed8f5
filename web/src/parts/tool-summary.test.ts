import { expect, test } from "vitest";
import { commandOf, inputSummary, isEmptyValue, shortFields, valueText } from "./tool-summary.ts";

test("a call is summed up by its most telling field, unless the title has it", () => {
  expect(inputSummary({ limit: 3, path: "src/a.ts" }, "Read")).toBe("src/a.ts");
  expect(inputSummary({ path: "src/a.ts" }, "Read src/a.ts")).toBeUndefined();
  expect(inputSummary({ command: ["npm", "test"] }, undefined)).toBe("npm test");
  expect(inputSummary({ limit: 3 }, undefined)).toBeUndefined();
  expect(inputSummary(null, undefined)).toBeUndefined();
});

test("commands are commands", () => {
  expect(commandOf({ command: "npm test" })).toBe("npm test");
  expect(commandOf({ cmd: ["ls", "-l"] })).toBe("ls -l");
  expect(commandOf({ path: "x" })).toBeUndefined();
});

test("an output that is nothing but text is shown as text", () => {
  expect(valueText({ command: "npm test", stdout: "12 passed\n" })).toBe("12 passed\n");
  expect(valueText({ path: "a", content: "text" })).toBe("text");
  expect(valueText({ plan: "1. Read\n2. Write" })).toBe("1. Read\n2. Write");
  expect(valueText({ stdout: "a", stderr: "b" })).toContain('"stderr": "b"');
  expect(valueText("x")).toBe("x");
  expect(valueText(null)).toBe("");
});

test("a small flat object is a list of fields", () => {
  expect(shortFields({ path: "a.ts", bytes: 3 })).toEqual([
    ["path", "a.ts"],
    ["bytes", "3"],
  ]);
  for (const value of [{ a: { b: 1 } }, { a: "x\ny" }, { content: "text" }, {}, [1], "x", null])
    expect(shortFields(value)).toBeUndefined();
});

test("empty values", () => {
  expect([undefined, null, "", {}, []].every(isEmptyValue)).toBe(true);
  expect([0, false, "a", { a: 1 }].some(isEmptyValue)).toBe(false);
});
