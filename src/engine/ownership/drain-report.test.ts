import { expect, it } from "vitest";
import { type DrainedState, DrainReport } from "./drain-report.ts";

function logged(act: (report: DrainReport) => void): [object, string][] {
  const lines: [object, string][] = [];
  const note = (details: object, message: string) => void lines.push([details, message]);
  act(new DrainReport({ info: note, warn: note }, 600_000));
  return lines;
}

function state(id: string, { turn = true, asks = 0, tasks = 0 } = {}): DrainedState {
  const many = <Value>(count: number, value: Value) =>
    new Map(Array.from({ length: count }, (_, index) => [String(index), value]));
  return {
    id,
    ...(turn && { turn: {} as DrainedState["turn"] }),
    asks: many(asks, {} as never),
    tasks: many(tasks, { title: "t", implicit: false }),
  };
}

it("says what is waited for, with the ids of a few sessions, and that it is done", () => {
  const waiting = [state("s", { asks: 1 })];
  expect(
    logged((report) => {
      // The second time nothing has changed.
      report.waitFor(waiting);
      report.waitFor(waiting);
      report.end();
    }),
  ).toEqual([
    [{ sessions: ["s"] }, "draining: 1 turn, 1 open ask; at most 600 s"],
    [{}, "drained: no session is left at this node"],
  ]);
});

it("names no more than five sessions, and says once that turns are interrupted", () => {
  const many = Array.from({ length: 9 }, (_, index) => state(`s${index}`, { tasks: 2 }));
  expect(
    logged((report) => {
      report.waitFor(many);
      report.giveUp();
      report.giveUp();
    }),
  ).toEqual([
    [{ sessions: ["s0", "s1", "s2", "s3", "s4"] }, "draining: 9 turns, 18 tasks; at most 600 s"],
    [{}, "draining: turns that took longer than 600 s are interrupted"],
  ]);
});

it("where nothing is under way it says only that it is done", () => {
  expect(logged((report) => report.waitFor([state("s", { turn: false })]))).toEqual([]);
  expect(logged((report) => report.waitFor([]))).toEqual([]);
});
