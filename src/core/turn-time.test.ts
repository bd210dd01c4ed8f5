import fc from "fast-check";
import { expect, test } from "vitest";
import { sloppyDraft } from "../testkit/sloppy-drafts.ts";
import { checkLog } from "./check-log.ts";
import type { Draft } from "./draft.ts";
import type { EventOf, SessionEvent, TurnError } from "./event.ts";
import { SessionMachine } from "./session-machine.ts";
import { emptyState, parseState, serializeState } from "./session-state.ts";

/** A machine in a turn that began at 0, whose clock stands still until it is moved. */
function startTurn() {
  let at = 0;
  let messages = 0;
  const sources = { now: () => at, messageId: () => `m${++messages}` };
  let machine = new SessionMachine(emptyState("s"), sources);
  machine.create({ agent: "test", cwd: "/" });
  machine.acceptPrompt("u1", [{ type: "text", text: "hi" }], "queue");
  machine.dispatch("u1");
  const log: SessionEvent[] = machine.take();
  return {
    log,
    act(ms: number, change: (machine: SessionMachine) => void) {
      at += ms;
      change(machine);
      log.push(...machine.take());
    },
    /** As a later daemon has it. */
    restart() {
      machine = new SessionMachine(parseState(serializeState(machine.state)!)!, sources);
    },
    ended: () => log.findLast((event) => event.type === "turn.ended")!,
  };
}

const opened = (ask: string): Draft => ({
  ...{ type: "ask.opened", ask, kind: "permission", title: "?" },
  options: [{ id: "yes", label: "Yes", effect: "once" }],
});
const askOf = ({ state }: SessionMachine, native: string) => state.nativeAsks.get(native)!;
const answer = (native: string) => (machine: SessionMachine) =>
  machine.answerAsk(askOf(machine, native), { option: "yes" }, "me");
const RESTARTED: TurnError = { code: "daemon_restarted", message: "The daemon was restarted." };

test("from the first ask until the last one is answered a person is awaited, over a restart too", () => {
  const { log, act, restart, ended } = startTurn();
  act(100, (machine) => machine.apply(opened("q1"), 1));
  act(1000, (machine) => machine.apply(opened("q2"), 2));
  act(1000, answer("q1"));
  restart();
  act(1000, answer("q2"));
  act(10, (machine) => machine.closeAsk(askOf(machine, "q1"), "answered", true));
  act(10, (machine) => machine.closeAsk(askOf(machine, "q2"), "answered", true));
  act(50, (machine) => machine.apply(opened("q3"), 3));
  act(500, (machine) => machine.stopping("me"));
  act(5, (machine) => machine.endTurn("interrupted"));
  expect(ended()).toMatchObject({ durationMs: 3675, waitedMs: 3500 });
  expect(checkLog(log, { complete: true })).toEqual([]);
});

test("a turn without an ask, and an ask beside a turn, waited for nobody", () => {
  const { act, ended } = startTurn();
  act(100, (machine) => machine.apply({ type: "task.started", task: "k", title: "Watch" }, 1));
  act(100, (machine) => machine.apply({ ...opened("q"), task: "k" } as Draft, 2));
  act(800, (machine) => machine.apply({ type: "turn.ended", outcome: "completed" }, 3));
  expect(ended()).toMatchObject({ durationMs: 1000 });
  expect(ended().waitedMs).toBeUndefined();
});

test.each(["daemon_restarted", "node_lost"])("a turn that ends as %s ends at its last event", (code) => {
  const { log, act, restart, ended } = startTurn();
  act(100, (machine) => machine.apply(opened("q1"), 1));
  act(300, answer("q1"));
  act(100, (machine) => machine.apply({ type: "text.delta", part: "p", delta: "Hm." }, 2));
  act(50, (machine) => machine.apply(opened("q2"), 3));
  // What people do beside it says nothing about the agent.
  act(5000, (machine) => machine.acceptPrompt("u2", [{ type: "text", text: "later" }], "queue"));
  restart();
  act(500_000, (machine) => machine.endTurn("interrupted", { ...RESTARTED, code }, "known"));
  expect(ended()).toMatchObject({ at: 505_550, durationMs: 550, waitedMs: 300 });
  expect(checkLog(log)).toEqual([]);
});

test("an agent that is gone ends a turn when it went", () => {
  const { act, ended } = startTurn();
  act(100, (machine) => machine.apply({ type: "text.delta", part: "p", delta: "Hm." }, 1));
  act(900, (machine) => machine.endTurn("failed", { code: "agent_exited", message: "Gone." }));
  expect(ended()).toMatchObject({ durationMs: 1000 });
});

const step = fc.record({
  ms: fc.nat(10_000),
  what: fc.oneof(
    { weight: 3, arbitrary: sloppyDraft.filter(({ type }) => type !== "turn.ended") },
    { weight: 3, arbitrary: fc.constantFrom(opened("q1"), opened("q2"), opened("q3")) },
    { weight: 3, arbitrary: fc.constantFrom("answer", "close", "restart", "prompt") },
  ),
});

function play(steps: readonly { ms: number; what: Draft | string }[], end: number, error?: TurnError) {
  const turn = startTurn();
  let prompts = 1;
  for (const [index, { ms, what }] of steps.entries()) {
    if (what === "restart") turn.restart();
    turn.act(ms, (machine) => {
      const ask = [...machine.state.asks.keys()][index % 2];
      if (typeof what !== "string") machine.apply(what, index + 1);
      else if (what === "prompt") machine.acceptPrompt(`u${++prompts}`, [], "queue");
      else if (what === "answer" && ask !== undefined) machine.answerAsk(ask, { option: "yes" }, "me");
      else if (what === "close" && ask !== undefined) machine.closeAsk(ask, "cancelled", false);
    });
  }
  const before = turn.log.length;
  turn.act(end, (machine) => machine.endTurn("interrupted", error));
  return { log: turn.log, before, ended: turn.ended() };
}

/** By what the log says of asks, moment by moment. */
function awaited(log: readonly SessionEvent[], turn: string, end: number): number {
  const open = new Set<string>();
  let waited = 0;
  for (const [index, event] of log.entries()) {
    if (event.type === "ask.opened" && event.turn === turn) open.add(event.ask);
    if (event.type === "ask.answered" || event.type === "ask.closed") open.delete(event.ask);
    const next = Math.min(end, log[index + 1]?.at ?? end);
    if (open.size > 0) waited += Math.max(0, next - event.at);
  }
  return waited;
}

test("worked and waited are the whole time, and waited is when an ask was open", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(10_000), fc.boolean(), (steps, ms, isCut) => {
      const { log, before, ended } = play(steps, ms, isCut ? RESTARTED : undefined);
      const isOfTurn = (event: SessionEvent) => "turn" in event && event.turn === ended.turn;
      const end = isCut ? log.slice(0, before).findLast(isOfTurn)!.at : ended.at;
      const { durationMs, waitedMs = 0 } = ended;
      expect(durationMs).toBe(end);
      expect(waitedMs).toBe(awaited(log, ended.turn, end));
      expect(durationMs - waitedMs).toBeGreaterThanOrEqual(0);
      expect(checkLog(log)).toEqual([]);
    }),
  );
});

test("nothing is below zero, and no part above the whole, where the clock is set back", () => {
  const jumping = fc.array(fc.tuple(step, fc.integer({ min: -20_000, max: 10_000 })), { maxLength: 30 });
  fc.assert(
    fc.property(jumping, fc.integer({ min: -20_000, max: 10_000 }), fc.boolean(), (steps, ms, isCut) => {
      const moved = steps.map(([{ what }, by]) => ({ what, ms: by }));
      const { durationMs, waitedMs = 0 }: EventOf<"turn.ended"> = play(
        moved,
        ms,
        isCut ? RESTARTED : undefined,
      ).ended;
      expect(durationMs).toBeGreaterThanOrEqual(0);
      expect(waitedMs).toBeGreaterThanOrEqual(0);
      expect(durationMs - waitedMs).toBeGreaterThanOrEqual(0);
    }),
  );
});
