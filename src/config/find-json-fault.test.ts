import { expect, it } from "vitest";
import { findJsonFault } from "./find-json-fault.ts";

it.each([
  ["", 1, 1],
  ["// a comment", 1, 1],
  ["{'a': 1}", 1, 2],
  ['{"a": x}', 1, 7],
  ['{"a": 1,}', 1, 9],
  ['{"a": 1} x', 1, 10],
  ['{"a": 1 "b": 2}', 1, 9],
  ['{"a": "two\nlines"}', 1, 11],
  ['{"a": "\\q"}', 1, 9],
  ['{\n  "a": 1,\n  "b": tru }', 3, 11],
  ['{\n  "a": [1, 2', 2, 13],
])("finds the fault in %j", (text, line, column) => {
  expect(findJsonFault(text)).toEqual({ line, column });
});
