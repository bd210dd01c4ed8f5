/** The checker of chaos runs finds each fault in a history that was made by hand, and none in a good one. */
import { describe, expect, it } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { FinalEntry, FinalLog, HistoryRecord } from "./history.ts";

/** Node 1 wrote two events, node 2 took over and wrote two. */
const TEXTS = ["1:0:1", "1:0:2", "2:1:1", "2:1:2"];

const RECORDS: readonly HistoryRecord[] = [
  { kind: "acknowledged", session: "s", first: 1, texts: ["1:0:1", "1:0:2"] },
  { kind: "seen", session: "s", first: 1, texts: ["1:0:1", "1:0:2", "2:1:1"] },
  { kind: "claimed", session: "s", node: 2, epoch: 1, head: 2 },
  { kind: "acknowledged", session: "s", first: 3, texts: ["2:1:1"] },
];

function entries(texts: readonly string[]): FinalEntry[] {
  return texts.map((text, index) => ({ place: index + 1, seq: index + 1, text }));
}

function logOf(texts: readonly string[], change: Partial<FinalLog> = {}): FinalLog {
  return { session: "s", events: entries(texts), raws: entries(["r1", "r2"]), headAfterFaults: 3, ...change };
}

function kindsOf(records: readonly HistoryRecord[], log: FinalLog): string[] {
  return [...new Set(checkHistory(records, [log]).map(({ kind }) => kind))];
}

it("a good history has no violations, also where something was written and never acknowledged", () => {
  expect(checkHistory(RECORDS, [logOf(TEXTS)])).toEqual([]);
  expect(checkHistory([], [logOf(TEXTS)])).toEqual([]);
});

describe("a log that is wrong by itself", () => {
  it.each([
    ["an event is missing in the middle", entries(TEXTS).toSpliced(2, 1), ["gap", "disorder"]],
    ["an event says another place", entries(TEXTS).with(3, { place: 4, seq: 3, text: "2:1:2" }), ["gap"]],
    ["an event is there twice", entries([...TEXTS, "2:1:2"]), ["twice", "disorder"]],
    ["an earlier epoch comes back", entries([...TEXTS, "1:0:3"]), ["fenced", "disorder"]],
    ["two nodes write in one epoch", entries([...TEXTS, "3:1:1"]), ["two writers"]],
    ["a writer's event was left out", entries([...TEXTS, "2:1:4"]), ["disorder"]],
    ["an event that nobody wrote", entries([...TEXTS, "damaged"]), ["unknown"]],
  ])("%s", (_, events, kinds) => {
    expect(kindsOf([], logOf([], { events, headAfterFaults: 0 }))).toEqual(kinds);
  });

  it("raw records: one is missing, one is there twice", () => {
    expect(kindsOf([], logOf(TEXTS, { raws: entries(["r1", "r2", "r3"]).toSpliced(1, 1) }))).toEqual(["gap"]);
    expect(kindsOf([], logOf(TEXTS, { raws: entries(["r1", "r1"]) }))).toEqual(["twice"]);
  });

  it("nothing was written after the faults", () => {
    expect(kindsOf([], logOf(TEXTS, { headAfterFaults: 4 }))).toEqual(["stands still"]);
  });
});

describe("a log that is not what was observed", () => {
  it("an acknowledged event is gone, or another stands in its place", () => {
    const acknowledged: HistoryRecord = {
      kind: "acknowledged",
      session: "s",
      first: 4,
      texts: ["2:1:2", "2:1:3"],
    };
    expect(kindsOf([acknowledged], logOf(TEXTS))).toEqual(["acknowledged"]);
    expect(kindsOf([{ ...acknowledged, texts: ["2:1:9"] }], logOf(TEXTS))).toEqual(["acknowledged"]);
  });

  it("a reader saw what is gone, or what is something else now", () => {
    const seen: HistoryRecord = { kind: "seen", session: "s", first: 3, texts: ["1:0:3"] };
    expect(kindsOf([seen], logOf(TEXTS))).toEqual(["seen"]);
    expect(kindsOf([{ ...seen, first: 5 }], logOf(TEXTS))).toEqual(["seen"]);
  });

  it("an event was written under an earlier epoch than the one that was claimed before it", () => {
    // The log alone does not show it: the claim was granted when the first event was the last.
    const claimed: HistoryRecord = { kind: "claimed", session: "s", node: 2, epoch: 1, head: 1 };
    expect(kindsOf([claimed], logOf(TEXTS))).toEqual(["fenced"]);
  });

  it("an epoch was granted twice, or to another than who wrote in it", () => {
    const claimed: HistoryRecord = { kind: "claimed", session: "s", node: 3, epoch: 1, head: 2 };
    expect(kindsOf([claimed, { ...claimed, node: 4 }], logOf(["1:0:1"], { headAfterFaults: 0 }))).toEqual([
      "two writers",
    ]);
    expect(kindsOf([claimed], logOf(TEXTS))).toEqual(["two writers"]);
  });

  it("a session is gone", () => {
    expect(checkHistory(RECORDS, [])).toMatchObject([{ kind: "acknowledged", detail: "it is gone" }]);
  });
});
