import { expect, test } from "vitest";
import { SharedStderr } from "./shared-stderr.ts";

test("every session hears what the shared process writes, until it is over", async () => {
  const stderr = new SharedStderr();
  const heard: Record<string, string[]> = { one: [], two: [] };
  const over = Promise.withResolvers<void>();
  stderr.push("starting");
  stderr.follow((line) => heard.one!.push(line), over.promise);
  stderr.follow((line) => heard.two!.push(line), new Promise(() => {}));
  stderr.push("warning");
  over.resolve();
  await over.promise;
  await Promise.resolve();
  stderr.push("later");
  expect(heard).toEqual({ one: ["starting", "warning"], two: ["warning", "later"] });
});

test("what nobody reads does not pile up", () => {
  const stderr = new SharedStderr();
  for (let line = 0; line < 1000; line += 1) stderr.push(String(line));
  const heard: string[] = [];
  stderr.follow((line) => heard.push(line), new Promise(() => {}));
  expect(heard).toHaveLength(100);
});
