import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveToken } from "./token.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-token-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("is made at the first start, kept for its owner only, and used again", () => {
  const data = join(directory, "data");
  const first = resolveToken({ data });
  expect(first.token).toMatch(/^[\w-]{43}$/);
  expect(first.file).toBe(join(data, "token"));
  expect(modeOf(data)).toBe("700");
  expect(modeOf(first.file!)).toBe("600");
  expect(readFileSync(first.file!, "utf8")).toBe(`${first.token}\n`);
  expect(resolveToken({ data })).toEqual(first);
});

test("is closed to others again at the next start", () => {
  const file = join(directory, "token");
  writeFileSync(file, "abc\n", { mode: 0o644 });
  expect(resolveToken({ data: directory }).token).toBe("abc");
  expect(modeOf(file)).toBe("600");
});

test("given by the user it is written nowhere", () => {
  expect(resolveToken({ data: directory, token: "abc" })).toEqual({ token: "abc" });
  expect(() => statSync(join(directory, "token"))).toThrow();
});

test("comes from the user's file, whose mode is left alone", () => {
  const tokenFile = join(directory, "mine");
  writeFileSync(tokenFile, "abc\n", { mode: 0o640 });
  expect(resolveToken({ data: directory, tokenFile })).toEqual({ token: "abc", file: tokenFile });
  expect(modeOf(tokenFile)).toBe("640");
});

test("is made in the user's file when that does not exist", () => {
  const tokenFile = join(directory, "mine");
  const { token } = resolveToken({ data: directory, tokenFile });
  expect(resolveToken({ data: directory, tokenFile }).token).toBe(token);
  expect(modeOf(tokenFile)).toBe("600");
});

test.each(["", "two words", "two\nlines"])("a file with %j is refused", (content) => {
  const tokenFile = join(directory, "mine");
  writeFileSync(tokenFile, content);
  expect(() => resolveToken({ data: directory, tokenFile })).toThrow(/--token-file: .*mine holds no token/);
});

test("in memory nothing is written", () => {
  const { token, file } = resolveToken({ data: ":memory:" });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(file).toBeUndefined();
});
