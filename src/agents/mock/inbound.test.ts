import { describe, expect, it } from "vitest";
import type { ConnectOptions } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";
import { INITIAL_STATE } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";

const connect: ConnectOptions = { sessionId: "s", cwd: "/" };

function encode(command: Command): unknown[] {
  const state = { ...INITIAL_STATE, nextRequest: 4 };
  return createInbound(connect, undefined)
    .encode(state, command)
    .map((line) => JSON.parse(line));
}

describe("opening", () => {
  const steps = (options: ConnectOptions, pace?: number) => {
    const step = createInbound(options, pace).open(INITIAL_STATE);
    return step.step === "send" ? step.lines.map((line) => JSON.parse(line)) : [];
  };

  it("says what the session was connected with, in the mock's words", () => {
    expect(
      steps(
        {
          ...connect,
          model: "m",
          mode: "plan",
          permissionMode: "acceptEdits",
          environment: { KEY: "value" },
        },
        0,
      ),
    ).toEqual([
      {
        id: 1,
        method: "open",
        params: {
          wire: 1,
          configuration: { model: "m", mode: "plan", permissions: "allow-edits" },
          pace: 0,
          secretNames: ["KEY"],
        },
      },
    ]);
  });

  it("names the conversation only to resume it", () => {
    const agentSessionId = "mock-1";
    expect(steps({ ...connect, agentSessionId })[0].params.conversation).toBeUndefined();
    expect(steps({ ...connect, agentSessionId, resume: true })[0].params.conversation).toBe("mock-1");
    expect(() => steps({ ...connect, resume: true })).toThrow("without its id");
  });

  it("follows the state", () => {
    const inbound = createInbound(connect, undefined);
    const open = (opening: typeof INITIAL_STATE.opening) => inbound.open({ ...INITIAL_STATE, opening });
    expect(open("sent")).toEqual({ step: "wait" });
    expect(open("ready")).toEqual({ step: "ready" });
    const refused = (code: string) => open({ failed: { code, message: "no" } });
    expect(refused("unknown_mode")).toEqual({ step: "failed", reason: "no" });
    const lost = { step: "failed", reason: "no", code: "conversation_lost" };
    expect(refused("unknown_conversation")).toEqual(lost);
  });
});

describe("commands", () => {
  it.each<[Command, object]>([
    [
      {
        type: "prompt",
        message: "u1",
        parts: [
          { type: "text", text: "one" },
          { type: "file", url: "data:,x", mediaType: "text/plain", filename: "x.txt" },
          { type: "text", text: "two" },
        ],
      },
      {
        method: "prompt",
        params: {
          prompt: "u1",
          text: "one\ntwo",
          files: [{ url: "data:,x", mediaType: "text/plain", filename: "x.txt" }],
        },
      },
    ],
    [
      { type: "prompt", message: "u1", parts: [], steer: true },
      { method: "prompt", params: { prompt: "u1", text: "", files: [], steer: true } },
    ],
    [{ type: "interrupt" }, { method: "interrupt", params: {} }],
    [
      { type: "stopTask", task: "task-1" },
      { method: "stop_task", params: { task: "task-1" } },
    ],
    [
      { type: "reply", ask: "a", option: "deny", effect: "reject", message: "no" },
      { method: "answer", params: { ask: "a", option: "deny", meaning: "deny", note: "no" } },
    ],
    [
      { type: "reply", ask: "a", answers: { q1: ["Blue"] } },
      { method: "answer", params: { ask: "a", answers: { q1: ["Blue"] } } },
    ],
    [
      { type: "configure", model: "m", permissionMode: "bypass" },
      { method: "configure", params: { model: "m", permissions: "allow-all" } },
    ],
    [
      { type: "rewind", before: "u1" },
      { method: "rewind", params: { before: "u1" } },
    ],
  ])("%o", (command, call) => {
    expect(encode(command)).toEqual([{ id: 4, ...call }]);
  });

  it("refuses what the mock has no words for", () => {
    expect(() => encode({ type: "configure", permissionMode: "yolo" })).toThrow("default, plan");
    expect(() => encode({ type: "configure", settings: { volume: "11" } })).toThrow("It has: effort");
    expect(() => encode({ type: "configure", settings: { effort: "11" } })).toThrow("low, medium, high");
  });
});
