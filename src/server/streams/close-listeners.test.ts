import { expect, it } from "vitest";
import { CloseListeners } from "./close-listeners.ts";

it("calls each listener once, those that come too late at once, and those that left never", () => {
  const listeners = new CloseListeners();
  const called: string[] = [];
  const listener = () => called.push("twice added");
  listeners.add(listener);
  const forget = listeners.add(listener);
  const leave = listeners.add(() => called.push("left"));
  leave();
  listeners.close();
  listeners.close();
  expect(called).toEqual(["twice added", "twice added"]);
  listeners.add(() => called.push("late"));
  expect(called.at(-1)).toBe("late");
  expect(() => forget()).not.toThrow();
});
