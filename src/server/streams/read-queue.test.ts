import { expect, test } from "vitest";
import { ReadQueue } from "./read-queue.ts";

test("runs a few at a time, in the order they came", async () => {
  const queue = new ReadQueue(2);
  const started: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const results = gates.map((gate, index) =>
    queue.run(() => {
      started.push(index);
      return gate.promise;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve(1);
  await results[1];
  expect(started).toEqual([0, 1, 2]);
  for (const [index, gate] of gates.entries()) gate.resolve(index);
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test("a failed read gives its place free", async () => {
  const queue = new ReadQueue(1);
  const failing = queue.run(() => Promise.reject(new Error("no")));
  const next = queue.run(async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
