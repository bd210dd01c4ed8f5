import { expect, test } from "vitest";
import { LogSlice } from "../streams/log-slice.ts";
import { SizedCache } from "./sized-cache.ts";

const page = (length: number) => new LogSlice([{ seq: 1, json: "x".repeat(length) }]);

test("keeps what was used last, up to a length", () => {
  const cache = new SizedCache<LogSlice>(10);
  const [a, b, c] = [page(4), page(4), page(4)];
  cache.set("a", a);
  cache.set("b", b);
  expect(cache.get("a")).toBe(a);
  cache.set("c", c);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([a, undefined, c]);
});

test("a page set again counts once; one that is too long is not kept", () => {
  const cache = new SizedCache<LogSlice>(10);
  for (let n = 0; n < 5; n += 1) cache.set("a", page(6));
  expect(cache.get("a")).toBeDefined();
  cache.set("b", page(11));
  expect([cache.get("a"), cache.get("b")]).toEqual([undefined, undefined]);
  cache.set("c", page(10));
  expect(cache.get("c")).toBeDefined();
});
