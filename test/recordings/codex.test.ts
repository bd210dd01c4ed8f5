/** Every recording of Codex through our translator: well formed, readable, and where it matters read by eye. */
import { describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/codex/protocol.ts";
import {
  expectDamageIsHarmless,
  expectFixture,
  expectView,
  expectWellFormed,
  languageFixturesOf,
  readRecordingText,
  recordingsOf,
  replay,
} from "./support.ts";

const VIEWS = [
  "approval-command-accept-session",
  "approval-command-escalated",
  "approval-command-garbage",
  "approval-file-decline",
  "approval-permissions",
  "codemode-exec",
  "codemode-question-async",
  "command-actions",
  "command-interactive",
  "compact-auto",
  "compact-manual",
  "dynamic-tools",
  "error-400",
  "error-disconnect-final",
  "exec-json-basic",
  "fork",
  "image-input",
  "image-view-tool",
  "interrupt-text",
  "mcp-approval",
  "mcp-elicitation",
  "mcp-tools",
  "multi-thread",
  "patch-delete-move",
  "patch-fail",
  "patch-streaming",
  "plan-update",
  "resume-restart",
  "review",
  "shell-command",
  "subagents",
  "turn-overrides",
  "turn-start-while-active",
  "web-search",
];

/** Something of everything: asks, background commands, sub-agents, retries, two processes. */
const DAMAGED = [
  "approval-file-accept",
  "command-background",
  "crash-resume",
  "error-disconnect-retry",
  "steer",
  "subagent-approval",
];

describe.each(languageFixturesOf("codex"))("language fixture %s", (name) => {
  it("is what the translator gives", () => expectFixture(protocol, "codex", name));
});

describe("recordings", () => {
  const names = recordingsOf("codex");

  it("there are many", () => expect(names.length).toBeGreaterThanOrEqual(72));

  it.each(names)("%s", async (name) => {
    const events = replay(protocol, readRecordingText("codex", name));
    await expectWellFormed(events);
    if (VIEWS.includes(name)) await expectView("codex", name, events);
  });
});

it.each(DAMAGED)("%s with lines lost or doubled, or cut short", (name) => {
  expectDamageIsHarmless(protocol, readRecordingText("codex", name));
});
