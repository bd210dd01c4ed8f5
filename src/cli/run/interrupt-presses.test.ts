import { expect, test } from "vitest";
import { InterruptPresses } from "./interrupt-presses.ts";

test("one Ctrl-C that arrives twice, from the terminal and from a launcher, does not leave the turn", () => {
  const presses = new InterruptPresses();
  expect([1000, 1003, 1500, 1501].map((now) => presses.press(now))).toEqual([
    "stop",
    "repeated",
    "repeated",
    "leave",
  ]);
});
