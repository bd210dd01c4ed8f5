import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { compareLogs } from "./compare-logs.ts";

type Untyped = { type: SessionEvent["type"]; raw?: number; [field: string]: unknown };

/** A log as the daemon writes it: what people did names no record. */
const STORED: Untyped[] = [
  { type: "session.created", agent: "mock", cwd: "/home" },
  { type: "session.attached", raw: 3, generation: 1, agentSessionId: "c" },
  { type: "prompt.accepted", message: "t5", parts: [{ type: "text", text: "hello" }], whenBusy: "queue" },
  { type: "turn.started", turn: "t4", origin: "user" },
  { type: "prompt.dispatched", turn: "t4", message: "t5" },
  { type: "message.started", turn: "t4", message: "msg_1", replyTo: "t5" },
  { type: "step.started", raw: 5, turn: "t4", message: "msg_1", step: 1 },
  { type: "text.start", raw: 5, turn: "t4", message: "msg_1", part: "p8" },
  { type: "text.delta", raw: 5, turn: "t4", message: "msg_1", part: "p8", delta: "Hi" },
  { type: "text.end", raw: 6, turn: "t4", message: "msg_1", part: "p8" },
  { type: "tool.start", raw: 6, turn: "t4", message: "msg_1", call: "c11", name: "run", native: "x" },
  {
    type: "ask.opened",
    raw: 7,
    turn: "t4",
    message: "msg_1",
    ask: "a12",
    call: "c11",
    kind: "permission",
    title: "Run?",
    options: [],
  },
  { type: "ask.answered", turn: "t4", ask: "a12", option: "deny", message: "no", by: "ann" },
  { type: "ask.closed", turn: "t4", message: "msg_1", ask: "a12", outcome: "answered", delivered: true },
  { type: "tool.denied", turn: "t4", message: "msg_1", call: "c11", reason: "no" },
  { type: "step.ended", raw: 9, turn: "t4", message: "msg_1", step: 1 },
  {
    type: "turn.ended",
    raw: 9,
    turn: "t4",
    message: "msg_1",
    outcome: "completed",
    usage: { input: 3 },
    durationMs: 20,
  },
  { type: "session.detached", reason: "idle", code: 0, signal: null },
];

/** Only what the records tell: other ids and times, and a record for everything. */
function replay(log: readonly Untyped[]): SessionEvent[] {
  const text = JSON.stringify(number(log, 7)).replaceAll(/"(t4|p8|c11|a12|msg_1)"/g, '"other-$1"');
  return (JSON.parse(text) as SessionEvent[]).map((event) => ({ ...event, raw: event.raw ?? 4 }));
}

function number(log: readonly Untyped[], at = 1): SessionEvent[] {
  return log.map((event, index) => ({
    session: `s${at}`,
    seq: index + 1,
    at,
    ...event,
  })) as unknown as SessionEvent[];
}

function compare(stored: readonly Untyped[], replayed: readonly Untyped[], options = {}) {
  return compareLogs(number(stored), replay(replayed), options);
}

function without(...types: string[]): Untyped[] {
  return STORED.filter(({ type }) => !types.includes(type));
}

function change(type: string, fields: object): Untyped[] {
  return STORED.map((event) => (event.type === type ? { ...event, ...fields } : event));
}

function moved(type: string, place: number): Untyped[] {
  return without(type).toSpliced(place, 0, ...STORED.filter((event) => event.type === type));
}

/** A turn under other ids. */
function turnAs(mark: string, prompt: string, text = "hello"): Untyped[] {
  const turn = JSON.stringify(STORED.slice(2, -1)).replaceAll(/"(t4|p8|c11|a12|msg_1)"/g, `"${mark}-$1"`);
  return JSON.parse(turn.replaceAll('"t5"', `"${prompt}"`).replaceAll('"hello"', `"${text}"`));
}

const COPY: Untyped[] = [
  { type: "session.created", agent: "mock", cwd: "/home", forkedFrom: { session: "s" } },
  { type: "turn.started", turn: "t2", origin: "agent" },
  { type: "message.started", turn: "t2", message: "msg_0", replyTo: "x" },
  {
    type: "turn.ended",
    turn: "t2",
    message: "msg_0",
    outcome: "failed",
    error: { code: "agent_exited", message: "It is gone." },
    usage: {},
    durationMs: 1,
  },
  { type: "prompt.accepted", message: "u0", parts: [], whenBusy: "queue" },
  { type: "turn.started", turn: "t7", origin: "user" },
  { type: "prompt.dispatched", turn: "t7", message: "u0" },
  { type: "turn.ended", turn: "t7", message: "msg_0", outcome: "completed", usage: {}, durationMs: 1 },
  { type: "conversation.rewound", before: "u0", agentForgot: true },
  { type: "message.system", message: "msg_s", text: "x", cause: "x" },
  { type: "session.updated", agentMemory: "none" },
];

const REWOUND: Untyped[] = [
  { type: "conversation.rewound", before: "t5", agentForgot: true },
  { type: "session.updated", agentMemory: "none" },
];

describe("a proposed edit", () => {
  const diff = "--- /p/a\n+++ /p/a\n@@ -1,1 +1,1 @@\n-a\n+b\n";
  const told = { changes: [{ path: "/p/a", kind: "changed", diff }], description: "Every occurrence." };
  const found = { ...told, changes: [{ ...told.changes[0], diff: diff.replace("-1,1 +1,1", "-7,1 +7,1") }] };
  const note = "The diff shows only the replaced text, without line numbers: It is a link.";

  it("that was shown in its file is no difference", () => {
    expect(compare(change("ask.opened", found), change("ask.opened", told))).toBeUndefined();
  });

  it("that could not be shown there is none either", () => {
    const said = { ...told, description: `${told.description}\n${note}` };
    expect(compare(change("ask.opened", said), change("ask.opened", told))).toBeUndefined();
    const silent = { ...told, description: undefined };
    const only = { ...told, description: note };
    expect(compare(change("ask.opened", only), change("ask.opened", silent))).toBeUndefined();
  });

  it("of another file is one", () => {
    const other = { ...told, changes: [{ ...told.changes[0], path: "/p/b" }] };
    expect(compare(change("ask.opened", other), change("ask.opened", told))).toBeDefined();
  });
});

describe("a log and its replay are the same", () => {
  it.each<[string, Untyped[], Untyped[]]>([
    ["without what a fork copied", [...COPY, ...STORED.slice(1)], STORED],
    [
      "where a fork was rewound to before what it copied",
      [...COPY, ...STORED.slice(1), { type: "conversation.rewound", before: "u0", agentForgot: true }],
      STORED,
    ],
    [
      "where the agent forgot by beginning anew, and got the prompt again",
      [...STORED.slice(0, -1), ...REWOUND, ...turnAs("again", "t5"), ...STORED.slice(-1)],
      [...STORED.slice(0, -1), ...turnAs("again", "new"), ...STORED.slice(-1)],
    ],
    ["up to ids and times", STORED, STORED],
    ["where the session was made otherwise", STORED, change("session.created", { agent: "x", cwd: "/" })],
    [
      "where the agent spoke between a person's word and its line",
      moved("ask.closed", 15),
      moved("ask.closed", 13),
    ],
    ["where a prompt waited", moved("prompt.accepted", 1), STORED],
    [
      "where a prompt was changed first",
      [
        ...without("prompt.accepted").toSpliced(
          2,
          0,
          { type: "prompt.accepted", message: "t5", parts: [], whenBusy: "queue" },
          { type: "prompt.changed", message: "t5", parts: [{ type: "text", text: "hello" }] },
        ),
      ],
      STORED,
    ],
    [
      "where a prompt was taken back",
      [
        ...STORED,
        { type: "prompt.accepted", message: "u2", parts: [], whenBusy: "queue" },
        { type: "prompt.withdrawn", message: "u2" },
      ],
      STORED,
    ],
    [
      "where the engine said something",
      [...STORED, { type: "notice", level: "warning", code: "quiet", text: "…" }],
      STORED,
    ],
    ["where the owner changed the title", [...STORED, { type: "session.updated", title: "x" }], STORED],
    [
      "where nobody answered in time",
      change("ask.closed", { outcome: "expired" }).filter(({ type }) => type !== "ask.answered"),
      STORED,
    ],
    [
      "where the daemon answered in nobody's name",
      change("ask.closed", { outcome: "expired" }).map((event) =>
        event.type === "ask.answered" ? { ...event, expired: true, message: "Nobody answered." } : event,
      ),
      STORED,
    ],
    [
      "where the daemon was killed before it had recorded that the answer was sent",
      change("ask.closed", { outcome: "answered", delivered: false, raw: undefined }),
      change("ask.closed", { outcome: "cancelled", delivered: false }).filter(
        ({ type }) => type !== "ask.answered",
      ),
    ],
    [
      "where the turn was stopped as it ended",
      [...STORED.toSpliced(9, 0, { type: "turn.stopping", turn: "t4", by: "ann" })].map((event) =>
        event.type === "turn.ended" ? { ...event, outcome: "interrupted" } : event,
      ),
      STORED,
    ],
    [
      "where only the engine knows why the agent is gone",
      change("turn.ended", {
        raw: undefined,
        outcome: "interrupted",
        error: { code: "daemon_restarted", message: "…" },
      }),
      change("turn.ended", { outcome: "failed", error: { code: "agent_exited", message: "…" } }),
    ],
    [
      "where no agent could be started",
      [
        ...STORED,
        { type: "prompt.accepted", message: "u2", parts: [], whenBusy: "queue" },
        { type: "turn.started", turn: "t20", origin: "user" },
        { type: "prompt.dispatched", turn: "t20", message: "u2" },
        { type: "message.started", turn: "t20", message: "msg_2", replyTo: "u2" },
        {
          type: "turn.ended",
          turn: "t20",
          message: "msg_2",
          outcome: "failed",
          error: { code: "agent_failed", message: "…" },
          usage: {},
          durationMs: 0,
        },
      ],
      STORED,
    ],
    [
      "where outputs are cut elsewhere",
      [...STORED, { type: "tool.output", raw: 9, call: "c11", output: "ab…", truncatedFrom: 9 }],
      [...STORED, { type: "tool.output", raw: 9, call: "c11", output: "abcd…", truncatedFrom: 9 }],
    ],
  ])("%s", (_name, stored, replayed) => {
    expect(compare(stored, replayed)).toBeUndefined();
  });

  it("where settings were changed, and what else an update tells is compared", () => {
    const replayed = [...STORED, { type: "session.updated", raw: 20, model: "m" } as const];
    expect(compare(STORED, replayed)).toBeUndefined();
    const titled = [...STORED, { type: "session.updated", raw: 20, model: "m", title: "T" } as const];
    const retitled = [...STORED, { type: "session.updated", raw: 20, mode: "plan", title: "T" } as const];
    expect(compare(titled, retitled)).toBeUndefined();
    expect(compare(STORED, titled)).toMatchObject({ seq: STORED.length, replayed: { title: "T" } });
  });

  it("where a record to the agent says something of its own", () => {
    const replayed = [...STORED, { type: "session.updated", raw: 20, title: "T" } as const];
    expect(compare(STORED, replayed, { sent: new Set([20]) })).toBeUndefined();
    expect(compare(replayed, STORED, { sent: new Set([20]) })).toBeUndefined();
  });

  it("where the agent told of itself before the line of a turn that had begun", () => {
    const place = STORED.findIndex(({ type }) => type === "turn.started");
    const told = { type: "session.updated", raw: 3, title: "T" } as const;
    const begun = STORED.findIndex(({ type }) => type === "message.started") + 1;
    const stored = STORED.toSpliced(begun, 0, told);
    expect(compare(stored, STORED.toSpliced(place, 0, told))).toBeUndefined();
    expect(compare(stored, STORED)).toBeDefined();
  });

  it("where a call was stopped by what no agent was told", () => {
    const abandoned = {
      type: "tool.abandoned",
      raw: 9,
      turn: "t4",
      message: "msg_1",
      call: "c11",
      reason: "ended",
    } as const;
    const call = {
      type: "tool.start",
      raw: 6,
      turn: "t4",
      message: "msg_1",
      call: "c11",
      name: "run",
    } as const;
    const difference = compare([call, { ...abandoned, stopped: true }], [call, abandoned]);
    expect(difference).toBeUndefined();
  });

  it("as far as both go while a turn runs", () => {
    expect(compare(STORED.slice(0, 9), STORED.slice(0, 12), { isRunning: true })).toBeUndefined();
    expect(compare(STORED.slice(0, 9), STORED.slice(0, 12))).toMatchObject({ seq: 9 });
  });
});

describe("a log and its replay differ", () => {
  it("in what a fork did itself", () => {
    const said = change("text.delta", { delta: "Ho" });
    expect(compare([...COPY, ...STORED.slice(1)], said)).toMatchObject({ stored: { delta: "Hi" } });
  });

  it.each<[string, number, Untyped[]]>([
    ["in a text", 9, change("text.delta", { delta: "Ho" })],
    ["in a native id", 11, change("tool.start", { native: "y" })],
    ["in an answer", 13, change("ask.answered", { option: "allow" })],
    ["in what a person said", 13, change("ask.answered", { message: "yes" })],
    ["in a prompt", 3, change("prompt.accepted", { parts: [{ type: "text", text: "bye" }] })],
    ["in the record an event came from", 9, change("text.delta", { raw: 6 })],
    ["in an outcome", 17, change("turn.ended", { outcome: "failed" })],
    ["in usage", 17, change("turn.ended", { usage: {} })],
    ["in a field that only one has", 8, change("text.start", { purpose: "plan" })],
    ["in an exit code", 18, change("session.detached", { code: 1 })],
    ["in what belongs to what", 9, change("text.delta", { part: "c11" })],
  ])("%s", (_name, seq, replayed) => {
    expect(compare(STORED, replayed)).toMatchObject({ seq, stored: { seq }, replayed: {} });
  });

  it("when anything the agent did is missing, doubled or in another place", () => {
    const agent = STORED.flatMap(({ raw }, place) => (raw === undefined ? [] : [place]));
    fc.assert(
      fc.property(fc.constantFrom(...agent), fc.constantFrom(...agent), (from, to) => {
        const event = STORED[from]!;
        expect(compare(STORED, STORED.toSpliced(from, 1))).toBeDefined();
        expect(compare(STORED, STORED.toSpliced(to, 0, event))).toBeDefined();
        if (from !== to)
          expect(compare(STORED, STORED.toSpliced(from, 1).toSpliced(to, 0, event))).toBeDefined();
      }),
    );
  });
});
