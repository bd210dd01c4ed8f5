import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepDraft, readDraft } from "./kept-prompts.ts";

/** The storage of a tab. */
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: vi.fn((key: string, text: string) => stored.set(key, text)),
    removeItem: (key: string) => stored.delete(key),
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const fileOf = (length: number) => [
  { url: "x".repeat(length), mediaType: "text/plain", filename: "note.txt" },
];
const inStorage = () => [...stored.values()].join();

test("of a draft with large files the text is stored, without writing out the files", () => {
  const written = vi.spyOn(JSON, "stringify");
  const files = fileOf(2_000_000);
  keepDraft("large", { text: "look", files });
  for (const { value } of written.mock.results) expect(value.length).toBeLessThan(1000);
  expect(inStorage()).toContain("look");
  expect(readDraft("large")).toEqual({ text: "look", files });
});

test("files are stored once, not with each key", () => {
  const files = fileOf(1000);
  keepDraft("keys", { text: "l", files });
  expect(inStorage()).toContain(files[0]!.url);
  vi.mocked(sessionStorage.setItem).mockClear();
  keepDraft("keys", { text: "lo", files });
  for (const [, text] of vi.mocked(sessionStorage.setItem).mock.calls) expect(text.length).toBeLessThan(1000);
  expect(readDraft("keys")).toEqual({ text: "lo", files });
  keepDraft("keys", { text: "", files: [] });
  expect(stored.size).toBe(0);
});

test("a draft that was stored with its files by an earlier page is read, and is gone when it was sent", () => {
  const draft = { text: "before", files: fileOf(10) };
  stored.set("interlingua.draft.earlier", JSON.stringify(draft));
  expect(readDraft("earlier")).toEqual(draft);
  keepDraft("earlier", { text: "", files: [] });
  expect(readDraft("earlier")).toEqual({ text: "", files: [] });
});
