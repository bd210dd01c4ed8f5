import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { promptMessage } from "./prompt-message.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-prompt-message-"));
afterAll(() => rmSync(directory, { recursive: true }));

const read = (name: string, mediaType = "text/plain") =>
  promptMessage("Look.", [{ url: pathToFileURL(join(directory, name)).href, mediaType }]);

it("a file of text is part of the message", () => {
  writeFileSync(join(directory, "a.txt"), "one\n");
  expect(read("a.txt").message.content).toEqual([
    { type: "text", text: "File: a.txt\none\n" },
    { type: "text", text: "Look." },
  ]);
});

it("a pipe that nobody writes to does not hold up the prompt", () => {
  execFileSync("mkfifo", [join(directory, "pipe")]);
  expect(read("pipe").notSent).toEqual([expect.stringContaining("is not a regular file")]);
});

it("a file that no provider takes is not read", () => {
  writeFileSync(join(directory, "large"), "");
  truncateSync(join(directory, "large"), 3 * 2 ** 30);
  expect(read("large", "image/png").notSent).toEqual([expect.stringContaining("is larger than")]);
});

it("a file that is gone is said, and the rest is sent", () => {
  const { message, notSent } = read("nowhere");
  expect(notSent).toEqual([expect.stringMatching(/nowhere could not be read: ENOENT/)]);
  expect(message.content).toContainEqual({ type: "text", text: "Look." });
});
