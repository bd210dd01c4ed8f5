import { expect, test } from "vitest";
import { cutOff } from "./cut-off.ts";

test("what was cut off since the daemon before was started, the newest first", () => {
  const sessions = [
    { session: "earlier", cutOffAt: 90, updatedAt: 80 },
    { session: "whole", updatedAt: 150 },
    { session: "first", cutOffAt: 120, updatedAt: 110 },
    { session: "second", cutOffAt: 160, updatedAt: 155 },
  ];
  expect(cutOff(new Map(sessions.map((one) => [one.session, one])), 100)).toEqual(["second", "first"]);
});
