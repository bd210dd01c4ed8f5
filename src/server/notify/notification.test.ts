import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { SessionSummary } from "../../core/session-summary.ts";
import { notificationOf, oneLine } from "./notification.ts";

const SUMMARY = { session: "demo", agent: "claude", title: "Tidy up" } as SessionSummary;
const event = (fields: object) => ({ session: "demo", seq: 1, at: 7, ...fields }) as SessionEvent;
const of = (fields: object) => notificationOf(event(fields), SUMMARY);

test("an ask is told by its title, without what would be done", () => {
  const told = of({
    ...{ type: "ask.opened", ask: "a1", kind: "permission", title: "Edit a.txt", options: [] },
    ...{ description: "a secret plan", changes: [{ path: "/a.txt", kind: "changed", diff: "+password" }] },
  });
  expect(told).toEqual({
    ...{ event: "ask", at: 7, session: "demo", agent: "claude", title: "Tidy up" },
    ask: { id: "a1", kind: "permission", title: "Edit a.txt" },
  });
});

test("turns that ended and turns that failed are told apart", () => {
  for (const [outcome, name] of Object.entries({
    ...{ completed: "turn_ended", interrupted: "turn_ended", failed: "turn_failed" },
    ...{ refused: "turn_failed", limit: "turn_failed" },
  })) {
    const told = of({ type: "turn.ended", turn: "t1", outcome, error: { code: "x", message: "a path" } });
    expect(told).toMatchObject({ event: name, turn: { id: "t1", outcome } });
    expect(JSON.stringify(told)).not.toContain("a path");
  }
});

test("an agent that crashed is told, one that was let go is not", () => {
  expect(of({ type: "session.detached", reason: "crash", code: 1 })).toMatchObject({ event: "agent_failed" });
  for (const reason of ["idle", "exit", "closed"]) {
    expect(of({ type: "session.detached", reason })).toBeUndefined();
  }
  expect(of({ type: "text.delta", part: "p", delta: "hello" })).toBeUndefined();
});

test("a title is one short line, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
      const line = oneLine(text);
      expect([...line].length).toBeLessThanOrEqual(200);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
  expect(oneLine("rm\n-rf\u202e x\u0000")).toBe("rm -rf x");
});
