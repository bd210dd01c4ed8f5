/** Every recording of OpenCode through our translator: well formed, readable, and where it matters read by eye. */
import { describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/opencode/protocol.ts";
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
  "abort_text",
  "anthropic_reasoning",
  "cli_run_json",
  "concurrent_two_dirs",
  "dispose_instance",
  "edit_revert_unrevert",
  "error_bad_requests",
  "error_midstream_sse",
  "fork_summarize_share",
  "image_part",
  "kill9_mid_text",
  "metadata",
  "no_reply_context",
  "permission_always",
  "permission_session_rules",
  "prompt_sync",
  "question_reply",
  "shell_and_command",
  "structured_output",
  "subagent_task",
  "tool_bash_progress",
  "tool_unknown",
];

/** Something of everything: two streams, asks, a sub-agent, going back, two processes. */
const DAMAGED = [
  "concurrent_two_dirs",
  "edit_revert_unrevert",
  "kill9_mid_tool",
  "permission_double_reply",
  "subagent_task",
];

describe.each(languageFixturesOf("opencode"))("language fixture %s", (name) => {
  it("is what the translator gives", () => expectFixture(protocol, "opencode", name));
});

describe("recordings", () => {
  const names = recordingsOf("opencode");

  it("there are many", () => expect(names.length).toBeGreaterThan(45));

  it.each(names)("%s", async (name) => {
    const events = replay(protocol, readRecordingText("opencode", name));
    await expectWellFormed(events);
    if (VIEWS.includes(name)) await expectView("opencode", name, events);
  });
});

it.each(DAMAGED)("%s with lines lost or doubled, or cut short", (name) => {
  expectDamageIsHarmless(protocol, readRecordingText("opencode", name));
});
