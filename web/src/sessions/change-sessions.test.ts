import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { changeSessions } from "./change-sessions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("each is changed once, a few at a time, and an error keeps none of the others", async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `s${n}`);
  const called: string[] = [];
  let [now, most] = [0, 0];
  const changing = changeSessions(ids, async (id) => {
    called.push(id);
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 10));
    now -= 1;
    if (id === "s3") throw new Error("no");
  });
  await vi.runAllTimersAsync();
  const { done, failed } = await changing;
  expect(called).toEqual(ids);
  expect(most).toBe(4);
  expect(done).toHaveLength(19);
  expect(failed.map(({ session }) => session)).toEqual(["s3"]);
});

test("too fast for the daemon: it is tried again, and not for ever", async () => {
  let tries = 0;
  const refusal = new InterlinguaError("too_many_requests", "Too many requests");
  const change = (most: number) =>
    changeSessions(["a"], async () => {
      tries += 1;
      if (tries <= most) throw refusal;
    });
  const mended = change(2);
  await vi.runAllTimersAsync();
  expect(await mended).toEqual({ done: ["a"], failed: [] });
  tries = 0;
  const never = change(Number.POSITIVE_INFINITY);
  await vi.runAllTimersAsync();
  expect((await never).failed).toEqual([{ session: "a", error: refusal }]);
  expect(tries).toBe(5);
});
