import { expect, test } from "vitest";
import { RecentMemory } from "./recent-memory.ts";

function keeper(forgotten: string[], name: string) {
  return { forgetRecent: () => void forgotten.push(name) };
}

test("a burst in many sessions is kept up to one budget, and those that were busy last keep theirs", () => {
  const forgotten: string[] = [];
  const memory = new RecentMemory(10);
  const [a, b, c] = ["a", "b", "c"].map((name) => keeper(forgotten, name));
  memory.note(a!, 4);
  memory.note(b!, 4);
  memory.note(a!, 5);
  memory.note(c!, 4);
  expect(forgotten).toEqual(["b"]);
  expect(memory.length).toBe(9);
});

test("what is kept comes down again when nothing more happens", () => {
  const forgotten: string[] = [];
  const memory = new RecentMemory(100);
  const [a, b] = ["a", "b"].map((name) => keeper(forgotten, name));
  memory.note(a!, 4);
  memory.note(b!, 4);
  memory.sweep();
  memory.note(b!, 5);
  memory.sweep();
  expect(forgotten).toEqual(["a"]);
  memory.sweep();
  expect(forgotten).toEqual(["a", "b"]);
  expect(memory.length).toBe(0);
});
