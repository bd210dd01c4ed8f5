/** What a chat makes of what is typed. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completeMention, promptWithMentions } from "./mentioned-files.ts";
import { PromptHistory } from "./prompt-history.ts";
import { findSlashCommand } from "./slash-commands.ts";

let directory: string;

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-chat-parts-")));
  mkdirSync(join(directory, "src/my notes"), { recursive: true });
  for (const file of ["README.md", ".env", "src/main.ts", "src/my notes/a b.md", "picture.png"])
    writeFileSync(join(directory, file), "content");
  symlinkSync("/etc", join(directory, "outside"));
});

afterAll(() => rmSync(directory, { recursive: true }));

describe("a mention of a file", () => {
  test.each([
    ["see @README.md.", ["README.md"]],
    ["@src/main.ts and @README.md and @README.md", ["src/main.ts", "README.md"]],
    ['in @"src/my notes/a b.md"?', ["src/my notes/a b.md"]],
    ["the folder @src", ["src"]],
  ])("%s goes along", (text, files) => {
    expect(promptWithMentions(text, directory)).toEqual({
      input: [
        { type: "text", text },
        ...files.map((file) => ({ type: "context", path: join(directory, file) })),
      ],
      missing: [],
    });
  });

  test("a picture goes along itself", () => {
    expect(promptWithMentions("@picture.png", directory).input).toMatchObject([
      {},
      { type: "file", mediaType: "image/png", filename: "picture.png" },
    ]);
  });

  test.each(["mail me@README.md", "@nobody", "@../../etc/passwd", "@outside/passwd", "@/etc/passwd", "@"])(
    "%s is only text",
    (text) => {
      expect(promptWithMentions(text, directory).input).toBe(text);
    },
  );

  test.each([
    ["see @nope.md.", ["nope.md"]],
    ['@"no such notes" and @outside/passwd', ["no such notes", "outside/passwd"]],
    ["ask @somebody at me@nope.md", []],
  ])("%s: what looks like a file and is none is told", (text, missing) => {
    expect(promptWithMentions(text, directory).missing).toEqual(missing);
  });

  test.each([
    ["look at @R", ["@README.md"], "@R"],
    ["@", ["@README.md", "@outside", "@picture.png", "@src/"], "@"],
    ["@.", ["@.env"], "@."],
    ["@src/", ["@src/main.ts", '@"src/my notes/'], "@src/"],
    ['@"src/my notes/', ['@"src/my notes/a b.md"'], '@"src/my notes/'],
    ["@../", [], "@../"],
    ["@outside/", [], "@outside/"],
  ])("%s is completed", (line, completions, end) => {
    expect(completeMention(line, directory)).toEqual([completions, end]);
  });

  test("a line without one is not completed", () => {
    expect(completeMention("no file", directory)).toBeUndefined();
  });
});

test("only our own commands are commands: paths, other words and two slashes are not", () => {
  expect(findSlashCommand("/model big one")).toMatchObject({
    command: { name: "model" },
    argument: "big one",
  });
  for (const text of ["/etc/hosts is wrong", "/compact", "//help", "/", "model", "/models"])
    expect(findSlashCommand(text)).toBeUndefined();
});

describe("the history", () => {
  test("is kept for its owner, newest first", () => {
    const history = new PromptHistory(directory);
    for (const line of ["one", "  ", "x".repeat(5000), "two"]) history.add(line);
    expect(new PromptHistory(directory).read()).toEqual(["two", "one"]);
    expect(statSync(join(directory, "chat-history")).mode & 0o777).toBe(0o600);
  });

  test("keeps a prompt of several lines as one", () => {
    const own = mkdtempSync(join(directory, "several-"));
    const history = new PromptHistory(own);
    const prompts = ["one", "first\n\nthird \\\nfourth", "C:\\new \\n", "last"];
    for (const prompt of prompts) history.add(prompt);
    expect(new PromptHistory(own).read()).toEqual(prompts.toReversed());
  });

  test("that has grown too large loses its older prompts", () => {
    const own = mkdtempSync(join(directory, "large-"));
    const file = join(own, "chat-history");
    writeFileSync(file, Array.from({ length: 600 }, (_, n) => `${n} ${"x".repeat(1000)}\n`).join(""));
    const history = new PromptHistory(own);
    history.add("newest");
    expect(statSync(file).size).toBeLessThan(512 * 1024);
    expect(history.read().slice(0, 2)).toEqual(["newest", expect.stringMatching(/^599 /)]);
  });

  test("that is a link to another file is left alone", () => {
    const own = mkdtempSync(join(directory, "linked-"));
    symlinkSync(join(directory, "README.md"), join(own, "chat-history"));
    const history = new PromptHistory(own);
    history.add("secret");
    expect(history.read()).toEqual([]);
    expect(statSync(join(directory, "README.md")).size).toBe("content".length);
  });

  test("without a data directory is none", () => {
    const history = new PromptHistory(join(directory, "nowhere"));
    history.add("one");
    expect(history.read()).toEqual([]);
  });
});
