/** Every recording of Claude Code through our translator: well formed, readable, and where it matters read by eye. */
import { describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/claude/protocol.ts";
import { readRecording } from "../../src/agents/replay/recording-reader.ts";
import { describeRecordings } from "./describe-recordings.ts";
import { readRecordingText, recordingsOf, replay } from "./support.ts";

const NEW = "2.1.325";
const OLD = "2.1.197";

/** Read by eye in both versions, for they differ. */
const VIEWS_OF_BOTH = [
  "ask-declined",
  "control-set-model",
  "err-401-stream-then-ok",
  "err-overloaded-midstream",
  "err-reset-midstream-recovers",
  "interrupt-bash",
  "interrupt-text",
  "own-turn-before-prompt",
  "own-turn-stopped",
  "perm-deny-interrupt",
  "perm-interrupt-pending",
  "plan-file-approve",
  "queue-during-turn",
  "refusal",
  "slash-compact",
  "slash-with-ids",
  "steer-during-tool",
  "steer-two-during-text",
  "stop-max-tokens",
  "stop-with-steered",
  "subagent",
  "subagent-permission",
  "tasks",
  "tools-background-bash",
  "tools-denied-no-prompt",
  "tools-long-bash",
];

/** Read by eye in the newer version. */
const VIEWS_OF_NEW = [
  "ask-single",
  "control-set-mode",
  "err-400",
  "err-429-recovers",
  "err-500-exhausted",
  "err-reset",
  "image-input",
  "json-schema",
  "kill9-resume.2",
  "max-budget",
  "max-turns",
  "mcp-echo",
  "mcp-elicitation",
  "oneshot-json",
  "perm-always-write",
  "perm-error-response",
  "perm-late-second",
  "perm-updated-input",
  "plan-approve-setmode",
  "read-image",
  "resume-unknown",
  "rewind-files",
  "steer-slash",
  "stop-before-start",
  "subagent-asks-later",
  "task-stopped",
  "thinking",
  "todo",
  "tool-input-unparsable",
  "tools-errors",
  "tools-write-read-edit-bash",
  "tools-write-read-edit-bash-nopartial",
];

const VIEWS = [
  ...VIEWS_OF_BOTH.flatMap((name) => [`${name}@${OLD}`, `${name}@${NEW}`]),
  ...VIEWS_OF_NEW.map((name) => `${name}@${NEW}`),
];

/** Something of everything: asks, steering, background work, a retry, a sub-agent that asks. */
const DAMAGED = [
  `err-reset-midstream-recovers@${NEW}`,
  `own-turn-before-prompt@${NEW}`,
  `perm-late-second@${OLD}`,
  `steer-two-during-text@${NEW}`,
  `stop-with-steered@${OLD}`,
  `subagent-permission@${NEW}`,
  `tools-background-bash@${OLD}`,
];

describeRecordings({ agent: "claude", protocol, atLeast: 191, views: VIEWS, damaged: DAMAGED });

/** Kinds of lines of which some make no event: they change what is remembered, or are told by other lines. */
const SILENT = [
  "assistant",
  "command_lifecycle",
  "control_response",
  "conversation_reset",
  "stream_event",
  "system/background_tasks_changed",
  "system/compact_boundary",
  "system/control_request_progress",
  "system/model_refusal_no_fallback",
  "system/session_state_changed",
  "system/status",
  "system/task_notification",
  "system/task_started",
  "system/task_updated",
  "system/thinking_tokens",
  "user",
];

it.each(recordingsOf("claude").filter((name) => name.startsWith("err-")))(
  "%s: an attempt that broke off and is made again is not counted twice",
  (name) => {
    const text = readRecordingText("claude", name);
    const used = replay(protocol, text).filter((event) => event.type === "usage");
    const results = text.split("\n").filter((line) => line.includes('"type":"result"'));
    const { modelUsage } = JSON.parse(results.at(-1)!).msg as { modelUsage: Record<string, ModelTokens> };
    const models = Object.values(modelUsage);
    expect(sum(used.map(({ input = 0 }) => input))).toBe(
      sum(models.map((m) => m.inputTokens + m.cacheReadInputTokens + m.cacheCreationInputTokens)),
    );
    expect(sum(used.map(({ output = 0 }) => output))).toBe(sum(models.map((m) => m.outputTokens)));
  },
);

interface ModelTokens {
  inputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  outputTokens: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe("what Claude Code says", () => {
  const silent = new Set<string>();
  const unknown = new Set<string>();
  const unread = new Set<string>();
  for (const name of recordingsOf("claude")) {
    let state = protocol.translator.initial;
    for (const record of readRecording(readRecordingText("claude", name))) {
      const [next, drafts, unused = []] = protocol.translator.translate(state, record);
      state = next;
      for (const field of unused) unread.add(field);
      for (const draft of drafts) if (draft.type === "agent.unknown") unknown.add(draft.native);
      if (record.direction === "in" && drafts.length === 0) silent.add(kindOf(record.data));
    }
  }

  it("makes no event only where that is known", () => expect([...silent].sort()).toEqual(SILENT));

  it("is unknown only where the client of a recording had asked for more than we do", () => {
    const foreign = ["control_request/hook_callback", "control_request/mcp_message"];
    expect([...unknown].sort()).toEqual(foreign);
  });

  it("is counted where it is not used", () => {
    expect(unread).toContain("result.ttft_ms");
    expect(unread).toContain("system/thinking_tokens");
    expect([...unread].filter((field) => /\.(message|event|is_error|tool_use_id)$/.test(field))).toEqual([]);
  });
});

function kindOf(data: unknown): string {
  const { type, subtype } = JSON.parse(String(data));
  return type === "system" ? `system/${subtype}` : type;
}
