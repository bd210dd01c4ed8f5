import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyBlocks } from "./replace/apply-blocks.ts";
import { parseBlocks } from "./replace/parse-blocks.ts";
import { replaceInFile } from "./replace-in-file.ts";
import { call, type ToolBench, toolBench } from "./tool-test-support.ts";

const block = (search: string, replace: string) =>
  `<<<<<<< SEARCH\n${search && `${search}\n`}=======\n${replace && `${replace}\n`}>>>>>>> REPLACE\n`;

async function edit(bench: ToolBench, before: string | Buffer, diff: string) {
  writeFileSync(join(bench.cwd, "a"), before);
  const result = await call(replaceInFile, { path: "a", diff }, bench);
  return { result, after: readFileSync(join(bench.cwd, "a")) };
}

it("puts in several blocks, and tells one change with its diff", async () => {
  const bench = toolBench();
  const file = join(bench.cwd, "a");
  writeFileSync(file, "one\ntwo\nthree\n");
  chmodSync(file, 0o711);
  const input = { path: "a", diff: block("one", "ONE\nmore") + block("three", "") };
  const diff = `--- ${file}\n+++ ${file}\n@@ -1,3 +1,3 @@\n-one\n-two\n-three\n+ONE\n+more\n+two\n`;
  expect(await replaceInFile.preview!(input, bench)).toEqual([{ path: file, change: "changed", diff }]);
  expect(readFileSync(file, "utf8")).toBe("one\ntwo\nthree\n");
  expect(await replaceInFile.run(input, bench)).toEqual({
    result: { type: "replace_file_result", path: "a" },
    changes: [{ path: file, change: "changed", diff }],
  });
  expect(readFileSync(file, "utf8")).toBe("ONE\nmore\ntwo\n");
  expect(statSync(file).mode & 0o777).toBe(0o711);
  expect(readdirSync(bench.cwd)).toEqual(["a"]);
});

describe("what is searched for", () => {
  it.each<[name: string, before: string, diff: string, after: string]>([
    ["is whole lines", "xab\nab\n", block("ab", "c"), "xab\nc\n"],
    [
      "matches lines with carriage returns, and those stay",
      "a\r\nb\r\n",
      block("b", "c\nd"),
      "a\r\nc\r\nd\r\n",
    ],
    ["may have carriage returns itself", "a\nb\n", block("b\r", "c\r"), "a\nc\n"],
    ["may differ in white space at the ends of lines", "a  \nb\t\n", block("a\nb", "c"), "c\n"],
    ["is taken exactly if that fits", "a \na\n", block("a", "b"), "a \nb\n"],
    ["may be the last line without an end", "a\nb", block("b", "c\nd"), "a\nc\nd"],
    ["may be nothing in an empty file", "", block("", "a\nb"), "a\nb\n"],
    [
      "may be a heading with a line of =======",
      "T\n=======\nx\n",
      block("T\n=======", "U\n---"),
      "U\n---\nx\n",
    ],
    [
      "may hold more such lines",
      "a\n=======\nb\n=======\nc\n",
      block("=======\nb\n=======", "x"),
      "a\nx\nc\n",
    ],
    ["may be replaced by such a heading", "T\n---\nx\n", block("T\n---", "T\n======="), "T\n=======\nx\n"],
    ["keeps a byte order mark", "\ufeffa\nb\n", block("a", "c"), "\ufeffc\nb\n"],
    ["may stand in the other usual form", "a\n", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE", "b\n"],
    ["may stand in a fence", "a\n", `\`\`\`diff\n${block("a", "b")}\`\`\`\n`, "b\n"],
    ["may have come from an earlier block", "a\n", block("a", "b") + block("b", "c"), "c\n"],
  ])("%s", async (_name, before, diff, after) => {
    const edited = await edit(toolBench(), before, diff);
    expect(edited.result).toEqual({ type: "replace_file_result", path: "a" });
    expect(edited.after.toString()).toBe(after);
  });
});

describe("nothing is changed, and the failure says why, when", () => {
  it.each<[name: string, before: string, diff: string, code: string, error: RegExp]>([
    [
      "the second block is not there",
      "one\ntwo\nthree\n",
      block("one", "1") + block("two\nfour", "x"),
      "no_match",
      /^Block 2 of 2 was not found in "a"\. The closest place is line 2: "two"\./,
    ],
    [
      "no line of it is there",
      "one\n",
      block("none", "x"),
      "no_match",
      /^The block was.*None of its lines is there/,
    ],
    [
      "it fits twice",
      "a\nb\na\nb\n",
      block("a\nb", "c"),
      "ambiguous",
      /^The block fits at several places: lines 1, 3\./,
    ],
    ["it fits twice but for blanks", "a \na\t\n", block("a", "c"), "ambiguous", /lines 1, 2\./],
    ["places overlap", "a\na\na\n", block("a\na", "c"), "ambiguous", /lines 1, 2\./],
    ["it searches for nothing", "a\n", block("", "c"), "no_match", /searches for nothing/],
    [
      "it has no divider",
      "a\n",
      "<<<<<<< SEARCH\na\n>>>>>>> REPLACE",
      "invalid_argument",
      /block 1 has no line "=+"/,
    ],
    [
      "it does not end",
      "a\n",
      "<<<<<<< SEARCH\na\n=======\nb",
      "invalid_argument",
      /block 1 has no line ">>>>>>> R/,
    ],
    [
      "a block begins in another",
      "a\n",
      `<<<<<<< SEARCH\na\n${block("a", "b")}`,
      "invalid_argument",
      /before the next/,
    ],
    ["it has no block", "a\n", "\n", "invalid_argument", /it has no block/],
    [
      "there is text around",
      "a\n",
      `${block("a", "b")}Done!`,
      "invalid_argument",
      /line 6 .*outside of a block: "Done!"/,
    ],
  ])("%s", async (_name, before, diff, code, error) => {
    const { result, after } = await edit(toolBench(), before, diff);
    expect(result).toMatchObject({ type: "tool_error", name: "replace_in_file", code });
    expect(result.error).toMatch(error);
    expect(after.toString()).toBe(before);
  });
});

it("edits a file in another encoding without changing its other bytes", async () => {
  const before = Buffer.from([0xe9, 0x0a, 0x61, 0x0a, 0xff, 0x0a]);
  const edited = await edit(toolBench(), before, block("a", "\u00e4"));
  expect(edited.after).toEqual(Buffer.from([0xe9, 0x0a, 0xe4, 0x0a, 0xff, 0x0a]));
  const refused = await edit(toolBench(), before, block("a", "\u20ac"));
  expect(refused.result).toMatchObject({ code: "binary_file" });
  expect(refused.after).toEqual(before);
});

it("does not edit binary files, files that are too large and files that are not there", async () => {
  const bench = toolBench();
  expect((await edit(bench, "a\0\n", block("a", "b"))).result).toMatchObject({ code: "binary_file" });
  const long = "a\n".repeat(9 * 1024 * 1024);
  expect((await edit(bench, long, block("a", "b"))).result).toMatchObject({ code: "too_large" });
  const missing = { path: "missing", diff: block("a", "b") };
  expect(await call(replaceInFile, missing, bench)).toMatchObject({ code: "not_found" });
});

it("edits of one file at the same time all arrive", async () => {
  const bench = toolBench();
  const names = Array.from({ length: 8 }, (_, index) => `line ${index}`);
  writeFileSync(join(bench.cwd, "a"), `${names.join("\n")}\n`);
  await Promise.all(
    names.map((name) => replaceInFile.run({ path: "a", diff: block(name, name.toUpperCase()) }, bench)),
  );
  expect(readFileSync(join(bench.cwd, "a"), "utf8")).toBe(`${names.join("\n").toUpperCase()}\n`);
});

it("a search of very many lines that are all alike ends", () => {
  const text = "a\n".repeat(400_000);
  const search = `${"a\n".repeat(200_000)}b`;
  expect(() => applyBlocks("a", text, parseBlocks(block(search, "x")))).toThrow(/was not found/);
});

/** Few different lines, so that they repeat; none looks like a marker. */
const line = fc.constantFrom("", "a", "b", "a ", "\tb", "<<<<<<<", "=====", "ü");
const lines = (minLength: number) => fc.array(line, { minLength, maxLength: 6 });

it("replaces exactly the searched lines, once, wherever they stand, or fails and leaves everything", () => {
  fc.assert(
    fc.property(
      lines(0),
      lines(1),
      lines(0),
      lines(0),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      (head, search, tail, replace, end, hasLastEnd) => {
        const joined = (parts: string[]) => parts.join(end) + (hasLastEnd && parts.length > 0 ? end : "");
        const before = joined([...head, ...search, ...tail]);
        const diff = block(`${search.join("\n")}`, replace.join("\n"));
        // A block whose only searched line is empty is written as no line.
        fc.pre(search.join("\n") !== "" && (replace.join("\n") !== "" || replace.length === 0));
        // A last line that is empty and has no end is no line.
        fc.pre(hasLastEnd || [...head, ...search, ...tail].at(-1) !== "");
        // A single line without an end does not tell which ends the file has.
        fc.pre(before.includes("\n") || end === "\n");
        const all = [...head, ...search, ...tail];
        const isThere = (at: number) => search.every((wanted, index) => all[at + index] === wanted);
        const places = all.flatMap((_, at) => (isThere(at) ? [at] : []));
        const apply = () => applyBlocks("a", before, parseBlocks(diff));
        if (places.length > 1) return void expect(apply).toThrow(/several places/);
        const expected = [...head, ...replace, ...tail];
        // What stands before a removed last line keeps its end.
        const keepsEnd = hasLastEnd || (tail.length === 0 && replace.length === 0);
        expect(apply()).toBe(expected.join(end) + (keepsEnd && expected.length > 0 ? end : ""));
      },
    ),
    { numRuns: 2000 },
  );
});

it("reads any text without hanging or failing in another way", () => {
  const piece = fc.constantFrom(
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "a\n",
    "\r\n",
    "```\n",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece), fc.string(), (pieces, text) => {
      try {
        applyBlocks("a", text, parseBlocks(pieces.join("")));
      } catch (error) {
        expect(error).toHaveProperty("code");
      }
    }),
  );
});
