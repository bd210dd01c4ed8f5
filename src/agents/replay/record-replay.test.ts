import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import { restoredFilesNote } from "../../core/restored-files.ts";
import { protocol as mock } from "../mock/protocol.ts";
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import { RecordReplay } from "./record-replay.ts";
import { replayRecords } from "./replay-records.ts";

type Line =
  | readonly ["in" | "out", object | string]
  | readonly ["process", { event: "spawn" | "exit"; [key: string]: unknown }];

/** One record each second; a spawn begins a generation. */
function toRecords(lines: readonly Line[]): RawRecord[] {
  let generation = 0;
  return lines.map(([direction, data], index) => {
    if (direction === "process" && data.event === "spawn") generation += 1;
    const head = { rawSeq: index + 1, generation, at: 1000 * (index + 1) };
    if (direction === "process") return { ...head, direction, data };
    return { ...head, direction, data: typeof data === "string" ? data : JSON.stringify(data) };
  });
}

function replay(lines: readonly Line[], protocol: AgentProtocol = mock): SessionEvent[] {
  const events = [...replayRecords(protocol, toRecords(lines), { session: "s" })];
  expect(checkLog(events, { complete: true })).toEqual([]);
  return events;
}

const SPAWN: Line = ["process", { event: "spawn" }];
const EXIT: Line = ["process", { event: "exit", code: 0, signal: null }];
const OPEN: Line = ["out", { id: 1, method: "open", params: { wire: 1, configuration: {} } }];
const OPENED: Line = [
  "in",
  {
    id: 1,
    result: { conversation: "c", version: "1.0.0", continued: false, configuration: { model: "mock-large" } },
  },
];

function prompt(id: number, text: string, more: object = {}): Line {
  return ["out", { id, method: "prompt", params: { prompt: `user-${id}`, text, files: [], ...more } }];
}

function summaries(events: readonly SessionEvent[]): string[] {
  return events.map((event) => {
    const { type, message, outcome, reason, steered } = event as Record<string, unknown> & SessionEvent;
    return [type, message, outcome, reason, steered && "steered"].filter(Boolean).join(" ");
  });
}

describe("replay", () => {
  it("has the user's words, without the note on restored files that the agent got before them", () => {
    const note = restoredFilesNote({ paths: ["a.txt"], more: 0 });
    const events = replay([SPAWN, OPEN, OPENED, prompt(2, `${note}\nhello`), EXIT]);
    expect(events.find(({ type }) => type === "prompt.accepted")).toMatchObject({
      parts: [{ type: "text", text: "hello" }],
    });
  });

  it("makes the log of a turn, with ids and times that follow from the records", () => {
    const events = replay([
      SPAWN,
      OPEN,
      OPENED,
      prompt(2, "hello"),
      ["in", { event: "turn_started", turn: "1", prompt: "user-2" }],
      ["in", { event: "block_delta", block: "b", kind: "text", text: "Hi" }],
      ["in", { event: "turn_finished", turn: "1", reason: "done" }],
      EXIT,
    ]);
    expect(summaries(events)).toEqual([
      "session.created",
      "session.attached",
      "prompt.accepted user-2",
      "turn.started",
      "prompt.dispatched user-2",
      "message.started m1",
      "step.started m1",
      "text.start m1",
      "text.delta m1",
      "text.end m1",
      "step.ended m1",
      "turn.ended m1 completed",
      "session.detached exit",
    ]);
    expect(events.map(({ raw }) => raw)).toEqual([undefined, 3, 4, 4, 4, 4, 6, 6, 6, 7, 7, 7, 8]);
    expect(events[2]).toMatchObject({
      session: "s",
      seq: 3,
      at: 4000,
      parts: [{ type: "text", text: "hello" }],
    });
    expect(events.at(-1)).toMatchObject({ code: 0, signal: null });
  });

  it("gives the same events again", () => {
    const lines = [SPAWN, OPEN, OPENED, prompt(2, "hello"), EXIT];
    expect(replay(lines)).toEqual(replay(lines));
  });

  it("folds a prompt that steers into the running turn", () => {
    const events = replay([
      SPAWN,
      OPEN,
      OPENED,
      prompt(2, "go"),
      prompt(3, "left", { steer: true }),
      ["in", { event: "steering_taken", prompt: "user-3" }],
      ["in", { event: "turn_started", turn: "1", prompt: "user-2" }],
      ["in", { event: "turn_finished", turn: "1", reason: "done" }],
      EXIT,
    ]);
    expect(summaries(events)).toContain("prompt.dispatched user-3 steered");
    expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(1);
  });

  it("lets a prompt wait for an agent that cannot be steered, as the agent does", () => {
    const deaf: AgentProtocol = {
      ...(mock as AgentProtocol),
      capabilities: { ...mock.capabilities, steer: false },
      decodeCommands: (state, record) =>
        mock
          .decodeCommands(state as never, record)
          .map((command) => (command.type === "prompt" ? { ...command, steer: undefined } : command)),
    };
    const events = replay(
      [
        SPAWN,
        OPEN,
        OPENED,
        prompt(2, "one"),
        prompt(3, "two"),
        ["in", { event: "turn_started", turn: "1", prompt: "user-2" }],
        ["in", { event: "turn_started", turn: "2", prompt: "user-3" }],
        ["in", { event: "turn_finished", turn: "1", reason: "done" }],
        ["in", { event: "turn_finished", turn: "2", reason: "done" }],
        EXIT,
      ],
      deaf,
    );
    expect(summaries(events).filter((line) => /^(prompt|turn)/.test(line))).toEqual([
      "prompt.accepted user-2",
      "turn.started",
      "prompt.dispatched user-2",
      "prompt.accepted user-3",
      "turn.ended m1 completed",
      "turn.started",
      "prompt.dispatched user-3",
      "turn.ended m2 completed",
    ]);
  });

  it("names prompts whose lines do not, and one that comes twice", () => {
    const events = replay([
      SPAWN,
      OPEN,
      OPENED,
      prompt(2, "one", { prompt: "" }),
      prompt(3, "two", { prompt: "a" }),
      prompt(4, "two", { prompt: "a" }),
    ]);
    const accepted = events.filter((event) => event.type === "prompt.accepted");
    expect(accepted.map(({ message }) => message)).toEqual(["u1", "a", "u2"]);
  });

  it("answers an ask, and stops a turn, where the lines to the agent do", () => {
    const options = [{ id: "allow", label: "Allow", meaning: "allow" }];
    const ask = { event: "ask", ask: "ask-1", kind: "permission", title: "Run?", options };
    const events = replay([
      SPAWN,
      OPEN,
      OPENED,
      prompt(2, "go"),
      ["in", ask],
      ["out", { id: 3, method: "answer", params: { ask: "ask-1", option: "allow", meaning: "allow" } }],
      ["out", { id: 4, method: "interrupt", params: {} }],
    ]);
    expect(summaries(events).filter((line) => /^(ask|turn\.stop)/.test(line))).toEqual([
      "ask.opened m1",
      "ask.answered",
      "ask.closed m1 answered",
      "turn.stopping",
    ]);
    expect(events.find(({ type }) => type === "ask.answered")).toMatchObject({
      option: "allow",
      effect: "once",
      by: "client",
    });
  });

  it("leaves the end of an ask to a translator that tells whether the answer arrived", () => {
    const ask = { event: "ask", ask: "ask-1", kind: "permission", title: "Run?", options: [] };
    const lines: Line[] = [
      SPAWN,
      OPEN,
      OPENED,
      prompt(2, "go"),
      ["in", ask],
      ["out", { id: 3, method: "answer", params: { ask: "ask-1" } }],
    ];
    const replayed = new RecordReplay({ ...(mock as AgentProtocol), confirmsAnswers: true });
    const events = toRecords(lines).flatMap((record) => replayed.add(record));
    expect(events.at(-1)?.type).toBe("ask.answered");
  });

  it("sets what was set, and rewinds what was rewound", () => {
    const events = replay([
      ...[SPAWN, OPEN, OPENED, prompt(2, "go")],
      ["in", { event: "turn_started", turn: "1", prompt: "user-2" }],
      ["in", { event: "turn_finished", turn: "1", reason: "done" }],
      ["out", { id: 3, method: "configure", params: { model: "mock-small", permissions: "allow-all" } }],
      ["in", { event: "configuration", configuration: { model: "mock-small", permissions: "allow-all" } }],
      ["out", { id: 6, method: "configure", params: { mode: "warp" } }],
      ["in", { id: 6, error: { code: "unknown_mode", message: "There is no such mode." } }],
      ["out", { id: 4, method: "rewind", params: { before: "user-2" } }],
      ["out", { id: 5, method: "rewind", params: { before: "never-seen" } }],
    ]);
    expect(events.slice(-4)).toMatchObject([
      { type: "session.updated", raw: 8, model: "mock-small", permissionMode: "bypass" },
      { type: "notice", raw: 10, code: "configure" },
      { type: "conversation.rewound", raw: 11, before: "user-2", agentForgot: true },
      { type: "session.detached" },
    ]);
  });

  it("ends what a process left open when it dies, or when the next one begins without a word about it", () => {
    const begun: Line[] = [
      SPAWN,
      OPEN,
      OPENED,
      prompt(2, "go"),
      ["in", { event: "block_delta", block: "b", kind: "text", text: "Hi" }],
    ];
    const died: Line = ["process", { event: "exit", code: null, signal: "SIGKILL" }];
    for (const lines of [
      [...begun, died, ...begun],
      [...begun, ...begun],
    ]) {
      const ends = summaries(replay(lines)).filter((line) =>
        /^(turn\.ended|session\.(at|de)tached)/.test(line),
      );
      const life = ["session.attached", "turn.ended m1 failed", "session.detached crash"];
      expect(ends).toEqual([...life, ...life.map((line) => line.replace("m1", "m2"))]);
    }
  });

  it("goes on after the exit of a process that lived for one turn", () => {
    const replayed = new RecordReplay({ ...(mock as AgentProtocol), processPerTurn: true });
    const events = toRecords([SPAWN, OPEN, OPENED, EXIT]).flatMap((record) => replayed.add(record));
    expect(events.at(-1)?.type).toBe("session.attached");
  });

  it("keeps what nobody understands, on both ways", () => {
    const events = replay([
      SPAWN,
      OPEN,
      OPENED,
      ["in", "noise"],
      ["out", { id: 2, method: "prompt" }],
      ["out", { id: 3, method: "answer" }],
      ["in", '{"id":3,"error":'],
    ]);
    const unknown = events.filter((event) => event.type === "agent.unknown");
    expect(unknown.map(({ native, raw }) => [raw, native])).toEqual([
      [4, "not-json"],
      [5, "translation-failed"],
      [7, "not-json"],
    ]);
  });

  it("cuts long tool outputs as the daemon does", () => {
    const protocol = mock as AgentProtocol;
    const lines: Line[] = [
      SPAWN,
      OPEN,
      OPENED,
      ["in", { event: "call_started", call: "c", tool: "read_file", title: "", kind: "read" }],
      ["in", { event: "call_output", call: "c", output: "x".repeat(50) }],
    ];
    const [output] = [...replayRecords(protocol, toRecords(lines), { maxToolOutputBytes: 10 })].filter(
      (event) => event.type === "tool.output",
    );
    expect(output).toMatchObject({ truncatedFrom: 50, output: expect.stringMatching(/^x{10}\n/) });
  });
});
