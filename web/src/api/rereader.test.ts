import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Rereader } from "./rereader.ts";

const PAUSE_MS = 500;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** What is read is there when `answer` is called. */
function createReader() {
  const answers: (() => void)[] = [];
  const read = vi.fn(() => new Promise<void>((done) => answers.push(done)));
  const reader = new Rereader(read, PAUSE_MS);
  async function answer(): Promise<void> {
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  }
  return { reader, read, answer };
}

test("what changes while it is read is read once more, when the answer is there", async () => {
  const { reader, read, answer } = createReader();
  reader.now();
  reader.now();
  reader.now();
  expect(read).toHaveBeenCalledTimes(1);
  await answer();
  expect(read).toHaveBeenCalledTimes(2);
  await answer();
  expect(read).toHaveBeenCalledTimes(2);
});

test("many changes soon after another are read once", async () => {
  const { reader, read, answer } = createReader();
  for (let at = 0; at < 20; at += 1) reader.soon();
  expect(read).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(read).toHaveBeenCalledTimes(1);
  await answer();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(read).toHaveBeenCalledTimes(1);
});

test("a slow answer comes although it changes all the time", async () => {
  const { reader, read, answer } = createReader();
  reader.now();
  for (let at = 0; at < 10; at += 1) {
    reader.soon();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
  }
  expect(read).toHaveBeenCalledTimes(1);
  await answer();
  expect(read).toHaveBeenCalledTimes(2);
});

test("a reason to read at once does not wait for the pause, and is not followed by another", async () => {
  const { reader, read, answer } = createReader();
  reader.soon();
  reader.now();
  expect(read).toHaveBeenCalledTimes(1);
  await answer();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(read).toHaveBeenCalledTimes(1);
});

test("once it is closed nothing more is read", async () => {
  const { reader, read, answer } = createReader();
  reader.now();
  reader.now();
  reader.soon();
  reader.close();
  await answer();
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(read).toHaveBeenCalledTimes(1);
});
