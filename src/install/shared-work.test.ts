import { expect, test } from "vitest";
import { SharedWork } from "./shared-work.ts";

test("work that was given up is begun anew, once it is over", async () => {
  const work = new SharedWork<string, number>();
  const order: string[] = [];
  const first = Promise.withResolvers<string>();
  const caller = new AbortController();
  const joined = work.join(
    "key",
    async (signal) => {
      signal.addEventListener("abort", () => order.push("stopped"));
      return first.promise.finally(() => order.push("over"));
    },
    { signal: caller.signal },
  );
  await Promise.resolve();
  caller.abort(new Error("enough"));
  await expect(joined).rejects.toThrow("enough");
  const again = work.join("key", async () => {
    order.push("begun anew");
    return "second";
  });
  first.resolve("first");
  expect(await again).toBe("second");
  expect(order).toEqual(["stopped", "over", "begun anew"]);
});

test("a caller that comes later gets the latest progress, and a failure reaches all", async () => {
  const work = new SharedWork<never, number>();
  const fail = Promise.withResolvers<never>();
  const heard: number[][] = [[], []];
  const start = async (_: AbortSignal, report: (progress: number) => void) => {
    report(1);
    report(2);
    return fail.promise;
  };
  const first = work.join("key", start, { onProgress: (progress) => heard[0]!.push(progress) });
  await Promise.resolve();
  await Promise.resolve();
  const second = work.join("key", start, { onProgress: (progress) => heard[1]!.push(progress) });
  fail.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await expect(second).rejects.toThrow("no");
  expect(heard).toEqual([[1, 2], [2]]);
});

test("a caller who is gone before it begins starts nothing", async () => {
  const work = new SharedWork<string, number>();
  let begun = false;
  const start = async () => {
    begun = true;
    return "done";
  };
  await expect(work.join("key", start, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow(
    "gone",
  );
  expect(begun).toBe(false);
});

test("a caller who leaves while the work before is taken back starts nothing", async () => {
  const work = new SharedWork<string, number>();
  const first = Promise.withResolvers<string>();
  let begun = 0;
  const start = () => {
    begun += 1;
    return first.promise;
  };
  const join = () => {
    const caller = new AbortController();
    const joined = work.join("key", start, { signal: caller.signal });
    caller.abort(new Error("gone"));
    return expect(joined).rejects.toThrow("gone");
  };
  await join();
  const second = join();
  first.resolve("first");
  await second;
  expect(begun).toBe(1);
});
