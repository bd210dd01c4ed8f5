import { expect, it } from "vitest";
import { EVENT_FORMAT } from "../core/event.ts";
import { UPCASTERS, upcastEvent } from "./upcast.ts";

it("gives an event of today's format back as it is", () => {
  const json = '{ "odd" :  "spacing" }';
  expect(upcastEvent(json, EVENT_FORMAT)).toBe(json);
});

it("has a step from every older format", () => {
  expect(UPCASTERS.map(({ from }) => from)).toEqual(
    Array.from({ length: EVENT_FORMAT }, (_, format) => format),
  );
});

it("reads format 0", () => {
  const old = { session: "a", seq: 1, time: "2025-11-03T09:00:00.000Z", kind: "session.closed" };
  const event = { session: "a", seq: 1, at: Date.parse(old.time), type: "session.closed" };
  expect(JSON.parse(upcastEvent(JSON.stringify(old), 0))).toEqual(event);
});

it("refuses a format it does not know", () => {
  expect(() => upcastEvent("{}", EVENT_FORMAT + 1)).toThrow("an event has format 2");
});
