import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContentPart, Message } from "../../core/message.ts";
import { type PastConversation, writeHistory } from "./history.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-history-test-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function written(messages: readonly Message[]): Promise<PastConversation> {
  const own = mkdtempSync(join(directory, "session-"));
  async function* newestFirst() {
    yield* messages.toReversed();
  }
  return JSON.parse(readFileSync((await writeHistory(own, newestFirst()))!, "utf8"));
}

function message(role: Message["role"], ...content: ContentPart[]): Message {
  return { id: "m", role, content, metadata: { agent: "model" } } as unknown as Message;
}

const said = (text: string): ContentPart => ({ type: "text", text });
const picture = (filename: string, length: number): ContentPart => ({
  type: "file",
  url: `data:image/png;base64,${"A".repeat(length)}`,
  mediaType: "image/png",
  filename,
});

it("large pictures do not take the place of what was said before them", async () => {
  const { messages, isCut } = await written([
    message("user", said("My name is Ada.")),
    ...["oldest", "older", "newest"].map((name) => message("user", said(name), picture(name, 10_000_000))),
    message("assistant", said("A bird."), picture("painted", 20_000_000)),
  ]);
  expect(isCut).toBe(false);
  expect(messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
    ["text"],
    ["text", "text"],
    ["text", "file"],
    ["text", "file"],
    ["text"],
  ]);
  expect(messages[1]!.content[1]).toEqual(
    said("[The file oldest is left out: there are too many after it.]"),
  );
});

it("the newest messages are kept where all are too long", async () => {
  const { messages, isCut } = await written(
    ["one", "two", "three"].map((name) => message("user", said(name + " ".repeat(4_000_000)))),
  );
  expect(isCut).toBe(true);
  const texts = messages.map(({ content: [part] }) => part?.type === "text" && part.text.trim());
  expect(texts).toEqual(["two", "three"]);
});

it("a link that an agent put in the place of the history is not written through", async () => {
  const own = mkdtempSync(join(directory, "session-"));
  const other = join(directory, "other");
  writeFileSync(other, "untouched");
  symlinkSync(other, join(own, "history.json"));
  async function* newestFirst() {
    yield message("user", said("hello"));
  }
  await expect(writeHistory(own, newestFirst())).rejects.toThrow("EEXIST");
  expect(readFileSync(other, "utf8")).toBe("untouched");
});
