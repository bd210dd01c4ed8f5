import { expect, test } from "vitest";
import { eventOf } from "../core/encoded-event.ts";
import { PromptSelection } from "./prompt-selection.ts";

const OURS = { message: "ours" };
const OTHER = { message: "other" };

function select(batches: object[][]): { types: string[]; isDone: boolean } {
  const selection = new PromptSelection("ours", eventOf);
  let seq = 0;
  const selected = batches.flatMap((batch) =>
    selection.select(
      batch.map((event) => {
        seq += 1;
        return { seq, json: JSON.stringify({ seq, ...event }) };
      }),
    ),
  );
  return {
    types: selected.map(({ json }) => {
      const { type, turn } = JSON.parse(json);
      return turn === undefined ? type : `${turn} ${type}`;
    }),
    isDone: selection.isDone,
  };
}

const ACCEPTED = { type: "prompt.accepted", ...OURS };
const STARTED = { type: "turn.started", turn: "t2" };
const DISPATCHED = { type: "prompt.dispatched", turn: "t2", ...OURS };
const ENDED = { type: "turn.ended", turn: "t2" };

test("from acceptance to the end of the turn, with all that happens between", () => {
  const log = [
    ACCEPTED,
    { type: "session.attached" },
    STARTED,
    DISPATCHED,
    { type: "text.delta", turn: "t2" },
    ENDED,
  ];
  expect(select([[...log, { type: "session.detached" }]])).toEqual({
    types: [
      "prompt.accepted",
      "session.attached",
      "t2 turn.started",
      "t2 prompt.dispatched",
      "t2 text.delta",
      "t2 turn.ended",
    ],
    isDone: true,
  });
});

test("however the log is cut into batches", () => {
  const log = [
    ACCEPTED,
    { type: "text.delta", turn: "t1" },
    { type: "turn.ended", turn: "t1" },
    STARTED,
    DISPATCHED,
    ENDED,
  ];
  const whole = select([log]);
  expect(whole.types).toEqual([
    "prompt.accepted",
    "t2 turn.started",
    "t2 prompt.dispatched",
    "t2 turn.ended",
  ]);
  expect(select(log.map((event) => [event]))).toEqual(whole);
});

test("turns of other prompts that run before it are left out", () => {
  const others = [
    { type: "turn.started", turn: "t1" },
    { type: "prompt.dispatched", turn: "t1", ...OTHER },
    { type: "turn.ended", turn: "t1" },
  ];
  expect(select([[ACCEPTED, ...others, STARTED, DISPATCHED, ENDED]]).types).toEqual([
    "prompt.accepted",
    "t2 turn.started",
    "t2 prompt.dispatched",
    "t2 turn.ended",
  ]);
});

test("a withdrawn prompt ends it; that of another does not", () => {
  expect(select([[ACCEPTED, { type: "prompt.withdrawn", ...OTHER }]]).isDone).toBe(false);
  expect(select([[ACCEPTED, { type: "prompt.withdrawn", ...OURS }]])).toEqual({
    types: ["prompt.accepted", "prompt.withdrawn"],
    isDone: true,
  });
});

test("a closed session ends it", () => {
  expect(select([[ACCEPTED, { type: "session.closed" }]]).isDone).toBe(true);
});

test("a prompt that joined a turn ends with it; one the agent gave back waits again", () => {
  const joined = { type: "prompt.dispatched", turn: "t1", steered: true, ...OURS };
  const end = { type: "turn.ended", turn: "t1" };
  expect(select([[ACCEPTED, joined, end]]).isDone).toBe(true);
  const returned = { type: "prompt.returned", ...OURS };
  expect(select([[ACCEPTED, joined, returned, end, STARTED, DISPATCHED, ENDED]])).toEqual({
    types: [
      "prompt.accepted",
      "t1 prompt.dispatched",
      "prompt.returned",
      "t2 turn.started",
      "t2 prompt.dispatched",
      "t2 turn.ended",
    ],
    isDone: true,
  });
});

test("words that look like an end do not end it", () => {
  const output = { type: "tool.output", turn: "t2", output: { type: "turn.ended", turn: "t2" } };
  expect(select([[ACCEPTED, STARTED, DISPATCHED, output]]).isDone).toBe(false);
});
