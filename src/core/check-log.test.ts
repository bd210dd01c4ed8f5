import { describe, expect, it } from "vitest";
import { checkLog } from "./check-log.ts";
import type { EventBody, SessionEvent } from "./event.ts";

const created: EventBody = { type: "session.created", agent: "a", cwd: "/" };
const turn = { turn: "t1" };
const inMessage = { turn: "t1", message: "m1" };
const started: EventBody[] = [
  created,
  { type: "prompt.accepted", message: "u1", parts: [], whenBusy: "queue" },
  { type: "turn.started", ...turn, origin: "user" },
  { type: "prompt.dispatched", ...turn, message: "u1" },
  { type: "message.started", ...inMessage, replyTo: "u1" },
  { type: "step.started", ...inMessage, step: 1 },
];
const stepEnded: EventBody = { type: "step.ended", ...inMessage, step: 1 };
const ended: EventBody = { type: "turn.ended", ...inMessage, outcome: "completed", usage: {}, durationMs: 1 };
const call: EventBody = { type: "tool.start", ...inMessage, call: "c1", name: "Bash" };
const ask: EventBody = {
  type: "ask.opened",
  ...inMessage,
  ask: "a1",
  kind: "permission",
  call: "c1",
  title: "?",
  options: [],
};
const input: EventBody = { type: "tool.input", ...inMessage, call: "c1", input: {} };
const output: EventBody = { type: "tool.output", ...inMessage, call: "c1", output: "" };
const text: EventBody = { type: "text.start", ...inMessage, part: "p1" };

const restoring: EventBody[] = [
  { type: "checkpoint.created", checkpoint: "c1", kind: "restore" },
  { type: "restore.started", checkpoint: "c1", before: "c1", changes: [] },
];

function problems(bodies: EventBody[], complete = false): string[] {
  const events = bodies.map(
    (body, index) => ({ session: "s", seq: index + 1, at: 0, ...body }) as SessionEvent,
  );
  return checkLog(events, { complete }).map(({ rule }) => rule);
}

describe("checkLog", () => {
  it("accepts a whole turn and every beginning of it", () => {
    const log = [
      ...started,
      text,
      { type: "text.end", ...inMessage, part: "p1" } as EventBody,
      stepEnded,
      ended,
    ];
    expect(problems(log, true)).toEqual([]);
    for (let length = 0; length <= log.length; length += 1)
      expect(problems(log.slice(0, length))).toEqual([]);
  });

  it.each<[string, EventBody[]]>([
    ["a log begins with session.created, once", [{ type: "session.closed" }]],
    ["a log begins with session.created, once", [created, created]],
    [
      "nothing follows session.closed but a title, pinned or archived",
      [created, { type: "session.closed" }, { type: "notice", level: "info", code: "x", text: "" }],
    ],
    [
      "nothing follows session.closed but a title, pinned or archived",
      [created, { type: "session.closed" }, { type: "session.updated", pinned: true, metadata: {} }],
    ],
    ["only an attached session is detached", [created, { type: "session.detached", reason: "idle" }]],
    [
      "each attachment has a new generation",
      [
        created,
        { type: "session.attached", generation: 1 },
        { type: "session.detached", reason: "idle" },
        { type: "session.attached", generation: 1 },
      ],
    ],
    ["a prompt is accepted once", [created, started[1]!, started[1]!]],
    [
      "a prompt is dispatched once, after it was accepted",
      [...started, { type: "prompt.dispatched", ...turn, message: "u1" }],
    ],
    ["only a waiting prompt is moved", [...started, { type: "prompt.moved", message: "u1" }]],
    [
      "a prompt is moved to before another that waits",
      [created, started[1]!, { type: "prompt.moved", message: "u1", before: "u1" }],
    ],
    [
      "a prompt is moved to before another that waits",
      [created, started[1]!, { type: "prompt.moved", message: "u1", before: "?" }],
    ],
    [
      "only a waiting prompt is held or released",
      [...started, { type: "prompt.held", message: "u1", held: true }],
    ],
    [
      "a prompt is held once, and then released",
      [created, started[1]!, { type: "prompt.held", message: "u1", held: false }],
    ],
    [
      "a held prompt is not dispatched",
      [created, started[1]!, { type: "prompt.held", message: "u1", held: true }, ...started.slice(2)],
    ],
    ["task.stopping needs a running task", [created, { type: "task.stopping", task: "k1", by: "owner" }]],
    ["only a waiting prompt is withdrawn", [...started, { type: "prompt.withdrawn", message: "u1" }]],
    [
      "only a dispatched prompt is received",
      [created, { type: "prompt.received", message: "u1", native: "n" }],
    ],
    ["turns do not overlap", [...started, { type: "turn.started", turn: "t2", origin: "agent" }]],
    ["an event that names a turn stands inside it", [...started, stepEnded, ended, ended]],
    [
      "two assistant messages are never adjacent",
      [...started, stepEnded, { type: "message.started", turn: "t1", message: "m2", replyTo: "u1" }],
    ],
    [
      "an assistant message answers a known message",
      [...started.slice(0, 4), { type: "message.started", ...inMessage, replyTo: "?" }],
    ],
    ["steps do not overlap", [...started, { type: "step.started", ...inMessage, step: 2 }]],
    ["content stands in a step", [...started.slice(0, 5), text]],
    [
      "content stands in the turn's current message",
      [...started, { type: "text.start", ...turn, message: "other", part: "p1" }],
    ],
    ["content outside a turn names a running task", [created, { type: "text.start", part: "p1" }]],
    [
      "content under a call comes after the call",
      [...started, { type: "text.start", ...inMessage, part: "p1", parent: "c9" }],
    ],
    ["a part is opened once", [...started, text, text]],
    [
      "text.delta needs an open part of its kind",
      [...started, { type: "text.delta", ...inMessage, part: "p1", delta: "x" }],
    ],
    [
      "reasoning.delta needs an open part of its kind",
      [...started, text, { type: "reasoning.delta", ...inMessage, part: "p1", delta: "x" }],
    ],
    ["a call is opened once", [...started, call, call]],
    ["tool.output needs an open call", [...started, call, output, output]],
    [
      "input is not streamed after it was complete",
      [
        ...started,
        call,
        { type: "tool.input", ...inMessage, call: "c1", input: {} },
        { type: "tool.input.delta", ...inMessage, call: "c1", delta: "x" },
      ],
    ],
    ["only a settled call is amended", [...started, call, { type: "tool.amended", call: "c1", output: "" }]],
    ["an ask is about a known call", [...started, ask]],
    [
      "an ask is closed as answered exactly when somebody did",
      [
        ...started,
        call,
        ask,
        { type: "ask.closed", ...inMessage, ask: "a1", outcome: "answered", delivered: true },
      ],
    ],
    [
      "an ask the daemon declined is closed as expired",
      [
        ...started,
        call,
        ask,
        { type: "ask.answered", ...inMessage, ask: "a1", by: "daemon", expired: true },
        { type: "ask.closed", ...inMessage, ask: "a1", outcome: "cancelled", delivered: true },
      ],
    ],
    [
      "an ask is answered once",
      [
        ...started,
        call,
        ask,
        { type: "ask.answered", ...turn, ask: "a1", by: "x" },
        { type: "ask.answered", ...turn, ask: "a1", by: "y" },
      ],
    ],
    [
      "a declined call is denied at once",
      [
        ...started,
        call,
        ask,
        { type: "ask.answered", ...turn, ask: "a1", effect: "reject", by: "x" },
        { type: "ask.closed", ...inMessage, ask: "a1", outcome: "answered", delivered: true },
        output,
      ],
    ],
    [
      "an edited input is shown at once, and only then has a name",
      [
        ...started,
        call,
        input,
        { ...ask, editable: true },
        { type: "ask.answered", ...turn, ask: "a1", effect: "once", input: {}, by: "x" },
        { type: "ask.closed", ...inMessage, ask: "a1", outcome: "answered", delivered: true },
        output,
      ],
    ],
    ["an edited input is shown at once, and only then has a name", [...started, call, { ...input, by: "x" }]],
    ["only an input that is known can be edited", [...started, call, { ...ask, editable: true }]],
    [
      "a discarded part was known and is closed",
      [...started, text, { type: "content.discarded", ...inMessage, parts: ["p1"], calls: [], reason: "" }],
    ],
    ["a step ends after its parts and tool results", [...started, call, stepEnded]],
    ["every part, call and ask of a turn is closed before it ends", [...started, call, ended]],
    ["the last step ends before the turn", [...started, ended]],
    [
      "the usage of a turn is the sum of its increments",
      [...started, { type: "usage", ...inMessage, input: 1 }, stepEnded, ended],
    ],
    ["task.ended needs a running task", [created, { type: "task.ended", task: "k1", outcome: "completed" }]],
    [
      "a task ends after what is open in it",
      [
        created,
        { type: "task.started", task: "k1", title: "" },
        { type: "text.start", task: "k1", part: "p1" },
        { type: "task.ended", task: "k1", outcome: "completed" },
      ],
    ],
    [
      "a conversation is rewound to before a known message",
      [created, { type: "conversation.rewound", before: "?", agentForgot: true }],
    ],
    [
      "a checkpoint is created before it is named",
      [created, { type: "restore.started", checkpoint: "?", before: "?", changes: [] }],
    ],
    ["files are restored between turns", [...started, ...restoring]],
    ["restores do not overlap", [created, ...restoring, ...restoring]],
    ["no prompt is dispatched while files are restored", [created, ...restoring, ...started.slice(1)]],
    ["only a restore that has begun ends", [created, { type: "checkpoint.restored", checkpoint: "c1" }]],
    [
      "a checkpoint after the end of a turn names one that has ended",
      [...started, { type: "checkpoint.created", checkpoint: "c1", endOf: "t1" }],
    ],
  ])("refuses a log against the rule: %s", (rule, log) => {
    expect(problems(log)).toContain(rule);
  });

  it("accepts checkpoints of older daemons, which had no kind", () => {
    expect(problems([created, { type: "checkpoint.created", checkpoint: "c1" }], true)).toEqual([]);
  });

  it("requires that a restore ends", () => {
    const log: EventBody[] = [created, ...restoring];
    expect(problems(log, true)).toEqual(["every restore ends"]);
    expect(problems([...log, { type: "checkpoint.restored", checkpoint: "c1" }], true)).toEqual([]);
  });

  it("requires that a complete log has nothing open", () => {
    expect(problems([...started, text, call, ask], true)).toEqual([
      "every turn ends",
      "every part ends",
      "every call is settled",
      "every ask is closed",
    ]);
  });

  it("notices gaps, repeats and strangers", () => {
    const event = (seq: number, session = "s") => ({ session, seq, at: 0, ...created }) as SessionEvent;
    expect(checkLog([event(2)])[0]?.rule).toBe("seq is 2, expected 1");
    expect(checkLog([event(1), event(1)])[0]?.rule).toBe("seq is 1, expected 2");
    expect(checkLog([event(1), event(2, "other")])[0]?.rule).toBe("all events of a log are of one session");
  });
});
