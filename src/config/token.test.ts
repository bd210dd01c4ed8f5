import { execFileSync } from "node:child_process";
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AccessToken, resolveToken as resolveTokenOn } from "./token.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-token-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

function resolveToken(config: { data: string; token?: string; tokenFile?: string }): AccessToken {
  return resolveTokenOn({ host: "127.0.0.1", ...config });
}

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

test("a link in the place of the token gets neither its target closed nor the token written", () => {
  const target = join(directory, "target");
  writeFileSync(target, "somebody's", { mode: 0o644 });
  symlinkSync(target, join(directory, "token"));
  expect(() => resolveToken({ data: directory })).toThrow(/the token cannot be kept.*token is a link/);
  expect(modeOf(target)).toBe("644");
  symlinkSync(join(directory, "nowhere"), join(directory, "dangling"));
  const tokenFile = join(directory, "dangling");
  expect(() => resolveToken({ data: directory, tokenFile })).toThrow(/dangling is a link/);
  expect(readdirSync(directory)).not.toContain("nowhere");
});

test("a pipe in the place of the token does not keep the daemon waiting", () => {
  execFileSync("mkfifo", [join(directory, "token")]);
  expect(() => resolveToken({ data: directory })).toThrow(/token is not a regular file/);
});

test.runIf(process.getuid?.() === 0)("a token that another user put there is refused", () => {
  const file = join(directory, "token");
  writeFileSync(file, "theirs\n");
  chownSync(file, 4711, 4711);
  expect(() => resolveToken({ data: directory })).toThrow(/belongs to another user \(4711\)/);
  // Where the directory is theirs as well, so is the decision.
  chownSync(directory, 4711, 4711);
  expect(resolveToken({ data: directory }).token).toBe("theirs");
});

test("a mounted secret may be a link", () => {
  writeFileSync(join(directory, "secret"), "abc\n");
  const tokenFile = join(directory, "mounted");
  symlinkSync(join(directory, "secret"), tokenFile);
  expect(resolveToken({ data: directory, tokenFile })).toEqual({ token: "abc", file: tokenFile });
});

test("a short token in a file is refused where other machines can reach it", () => {
  const tokenFile = join(directory, "mine");
  const open = (token: string) => {
    writeFileSync(tokenFile, token);
    return resolveTokenOn({ data: directory, tokenFile, host: "0.0.0.0" });
  };
  for (const token of ["abc", "fifteen-chars-x", "a".repeat(64)])
    expect(() => open(token)).toThrow(/--token-file: .*at least 16 characters.*openssl rand -hex 32/);
  expect(open("sixteen-chars-xy").token).toBe("sixteen-chars-xy");
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
