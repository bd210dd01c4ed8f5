import { expect, it } from "vitest";
import { checkLog } from "./check-log.ts";
import type { Draft } from "./draft.ts";
import { eventSchema, type SessionEvent } from "./event.ts";
import { SessionMachine } from "./session-machine.ts";
import { emptyState } from "./session-state.ts";

it.each([
  { input: Number.POSITIVE_INFINITY },
  { input: "many" },
  { output: -5 },
  { output: 2 ** 60, reasoning: 0.5 },
  { cacheRead: null, cost: "a lot" },
  { cost: 1e300 },
  { cost: Number.NaN },
])("an agent that says it used %j leaves a log whose sums are right", (told) => {
  let messages = 0;
  const messageId = () => `m${messages++}`;
  const machine = new SessionMachine(emptyState("s"), { now: () => 0, messageId });
  machine.create({ agent: "scripted", cwd: "/" });
  machine.apply({ type: "turn.started", cause: "agent", text: "By itself." }, 1);
  for (let times = 0; times < 2; times += 1) machine.apply({ type: "usage", ...told } as unknown as Draft, 2);
  machine.apply({ type: "turn.ended", outcome: "completed" }, 3);
  machine.detach("exit");
  const log: SessionEvent[] = JSON.parse(JSON.stringify(machine.take()));
  for (const event of log) expect(eventSchema.parse(event)).toEqual(event);
  expect(checkLog(log, { complete: true })).toEqual([]);
});
