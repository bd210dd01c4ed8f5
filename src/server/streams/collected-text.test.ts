import { expect, test } from "vitest";
import { CollectedText } from "./collected-text.ts";
import { frameOf } from "./frame.ts";

const cutOff = (reason: string) => new Error(reason);

test("what was written is there once it has ended", async () => {
  const stream = new CollectedText({ maxBytes: 100, cutOff });
  stream.writeText("Grüße, ");
  stream.write(frameOf("Welt"));
  stream.end();
  stream.writeText("too late");
  expect(await stream.whole).toEqual({ text: "Grüße, Welt", isCut: false });
});

test("a text that becomes too long ends there and says so", async () => {
  const stream = new CollectedText({ maxBytes: 5, cutOff });
  let closed = 0;
  stream.onClose(() => {
    closed += 1;
  });
  for (const text of ["abc", "def", "ghi"]) stream.writeText(text);
  expect(await stream.whole).toEqual({ text: "abcdef", isCut: true });
  expect(stream.isOpen).toBe(false);
  expect(closed).toBe(1);
});

test("a stream that is cut off rejects", async () => {
  const stream = new CollectedText({ maxBytes: 5, cutOff });
  stream.end("the daemon is shutting down");
  await expect(stream.whole).rejects.toThrow("the daemon is shutting down");
});

test("a signal ends it, and is let go of afterwards", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const [done, left] = [1, 2].map(() => new CollectedText({ maxBytes: 5, cutOff, signal }));
  done!.end();
  controller.abort();
  expect(await done!.whole).toEqual({ text: "", isCut: false });
  await expect(left!.whole).rejects.toThrow("aborted");
  expect(left!.isOpen).toBe(false);
});
