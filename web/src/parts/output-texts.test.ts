import { expect, test } from "vitest";
import { outputTexts } from "./output-texts.ts";

test("what a command wrote is read as text, not as one line of JSON", () => {
  const ran = {
    type: "run_command_result",
    command: "ls",
    cwd: "/w",
    exit_code: 0,
    stdout: "a\nb\n",
    stderr: "",
  };
  const more = {
    stdout_truncated: false,
    stdout_truncated_bytes: 0,
    timed_out: false,
    duration_ms: 3,
    os: "linux",
  };
  expect(outputTexts({ ...ran, ...more })).toEqual([{ label: "Output", text: "a\nb\n" }]);
  expect(outputTexts({ ...ran, stdout: "", stderr: "no such file\n", exit_code: 2 })).toEqual([
    { label: "Error output", text: "no such file\n" },
  ]);
  expect(outputTexts({ ...ran, stdout: "" })).toEqual([]);
});

test("a file that was read, a page and a preview are texts; that they were cut is told beside them", () => {
  const file = { type: "read_file_result", path: "a.ts", content: "one\ntwo\n" };
  expect(outputTexts(file)).toEqual([{ label: "Output", text: "one\ntwo\n" }]);
  expect(outputTexts({ ...file, truncated: true, total_bytes: 9000 })).toEqual([
    { label: "Output", text: "one\ntwo\n", note: "truncated · total bytes: 9000" },
  ]);
  expect(outputTexts({ stdout: "", stdout_truncated: true })).toEqual([
    { label: "Output", text: "", note: "stdout truncated" },
  ]);
});

test("lists are lines", () => {
  expect(outputTexts({ path: ".", items: ["src/", "a.ts"] })).toEqual([
    { label: "Output", text: "src/\na.ts" },
  ]);
  expect(outputTexts({ path: ".", results: [{ path: "a.ts", line: 3, text: "const a;" }] })).toEqual([
    { label: "Output", text: "a.ts  3  const a;" },
  ]);
  expect(outputTexts([{ type: "text", text: "a" }])).toEqual([{ label: "Output", text: "a" }]);
});

test("what is more than text stays as it is", () => {
  for (const value of [
    { content: "a", metadata: { b: 1 } },
    { results: [{ a: { b: 1 } }] },
    { results: [{ score: 3 }] },
    { path: "a.ts", bytes: 3 },
    { content: "a", note: "n".repeat(300) },
    [1, 2],
    "text",
    null,
  ])
    expect(outputTexts(value)).toBeUndefined();
});
