import { expect, it } from "vitest";
import { EVENT_FORMAT } from "../core/event.ts";
import { UPCASTERS, type Upcaster, upcastEvent } from "./upcast.ts";

/** The first event format that was released. */
const FIRST_FORMAT = 1;

it("gives an event of today's format back as it is", () => {
  const json = '{ "odd" :  "spacing" }';
  expect(upcastEvent(json, EVENT_FORMAT)).toBe(json);
});

it("has a step from every older format", () => {
  expect(UPCASTERS.map(({ from }) => from)).toEqual(
    Array.from({ length: EVENT_FORMAT - FIRST_FORMAT }, (_, index) => FIRST_FORMAT + index),
  );
});

it("takes one step after the other", () => {
  const steps: Upcaster[] = [-1, -2].map((from) => ({
    from: EVENT_FORMAT + from,
    upcast: (event) => ({ ...event, steps: [...(event.steps as number[]), from] }),
  }));
  const old = { session: "a", seq: 1, steps: [] };
  expect(JSON.parse(upcastEvent(JSON.stringify(old), EVENT_FORMAT - 2, steps))).toEqual({
    ...old,
    steps: [-2, -1],
  });
});

it("refuses a format it does not know", () => {
  expect(() => upcastEvent("{}", EVENT_FORMAT + 1)).toThrow("an event has format 2");
  expect(() => upcastEvent("{}", FIRST_FORMAT - 1)).toThrow("an event has format 0, which none can have");
});
