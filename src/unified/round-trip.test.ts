/** Our log → messages → drafts → machine gives a log that reads the same. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../agents/mock/program/scenarios/index.ts";
import { allow, deny, withMock } from "../agents/mock/with-mock.test-support.ts";
import { checkLog } from "../core/check-log.ts";
import type { SessionEvent } from "../core/event.ts";
import { fixtureLogs, randomLog } from "./logs.test-support.ts";
import { throughMessages, transcriptOf } from "./transcript.test-support.ts";

const mock = withMock();

function expectSame(events: readonly SessionEvent[]): void {
  const again = throughMessages(events);
  expect(checkLog(again, { complete: true })).toEqual([]);
  expect(transcriptOf(again)).toEqual(transcriptOf(events));
}

describe("every scenario of the mock", () => {
  const scenarios = Object.keys(SCENARIOS).flatMap((name) => [
    [name, "allowed", allow] as const,
    [name, "denied", deny] as const,
  ]);
  test.each(scenarios)("%s, %s", async (name, _, answer) => {
    const run = await mock().start({ answer });
    await run.prompt(`scenario:${name}`);
    if (name.startsWith("hang")) {
      await run.untilEvent("text.delta");
      await run.interrupt();
      if (name === "hang-deaf") await run.close();
    }
    await Promise.race([run.until(() => run.of("turn.ended").length > 0).catch(() => {}), run.over]);
    const events = await run.close();
    expect(checkLog(events, { complete: true })).toEqual([]);
    expect(run.of("turn.ended").length).toBeGreaterThan(0);
    expectSame(events);
  });
});

describe("events of real agents", () => {
  test.each(fixtureLogs)("%s", (_, events) => expectSame(events));
});

test("any log gives a well-formed one, with the same texts", () => {
  const textsOf = (events: readonly SessionEvent[]) =>
    events.flatMap((event) =>
      event.type === "text.delta" || event.type === "reasoning.delta" ? [event.delta] : [],
    );
  fc.assert(
    fc.property(randomLog, (events) => {
      const again = throughMessages(events);
      expect(checkLog(again, { complete: true })).toEqual([]);
      expect(textsOf(again)).toEqual(textsOf(events));
    }),
  );
});
