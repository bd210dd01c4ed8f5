import { expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { MessageEvents } from "./message-record.ts";

const base = { session: "s", seq: 1, at: 1, turn: "t", message: "m" };
const preview = (call: string, output: string): SessionEvent =>
  ({ ...base, type: "tool.output", call, output, preliminary: true }) as SessionEvent;

it("a message is as large as its record, not as all the events that made it", () => {
  const events = new MessageEvents();
  for (let count = 0; count < 1000; count += 1) {
    const event = { ...base, type: "text.delta", part: "p", delta: "hello" } as SessionEvent;
    events.add(event, JSON.stringify(event).length);
  }
  expect(events.bytes).toBe(JSON.stringify(events.all()[0]).length);
  expect(events.all()).toHaveLength(1);
});

it("100,000 previews between other events leave the last one, at the cost of one look each", () => {
  const events = new MessageEvents();
  events.add({ ...base, type: "tool.start", call: "a", name: "a" } as SessionEvent, 10);
  for (let count = 0; count < 100_000; count += 1) {
    events.add({ ...base, type: "tool.progress", call: "b", progress: count } as SessionEvent, 10);
    events.add(preview("a", `${count}`), 10);
  }
  events.add({ ...base, type: "tool.output.delta", call: "c", delta: "kept" } as SessionEvent, 10);
  const kept = events.all();
  expect(kept).toHaveLength(100_003);
  expect(kept.filter((event) => event.type === "tool.output")).toEqual([preview("a", "99999")]);
  expect(events.bytes).toBe(10 * kept.length);
  events.add({ ...base, type: "tool.output", call: "a", output: "final" } as SessionEvent, 10);
  expect(events.all().filter((event) => event.type === "tool.output")).toMatchObject([{ output: "final" }]);
});
