/** Every recording of an ACP agent through our translator: well formed, readable, and where it matters read by eye. */
import { describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/acp/protocol.ts";
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

/** Two or more of each agent. */
const VIEWS = [
  "claude-agent-acp-ask",
  "claude-agent-acp-error",
  "claude-agent-acp-shell-allow",
  "codex-acp-cancel-permission",
  "codex-acp-error",
  "codex-acp-load",
  "copilot-load",
  "copilot-shell-reject",
  "droid-error",
  "droid-shell-allow",
  "gemini-load",
  "gemini-modes",
  "gemini-write-fsempty",
  "grok-ask",
  "grok-write-allow",
  "opencode-cancel",
  "opencode-write-allow",
  "pi-error",
  "pi-shell-allow",
  "qwen-cancel-permission",
  "qwen-shell-allow",
  "qwen-todo",
  "sample-agent-ask",
  "sample-agent-shell-reject",
  "zed-codex-acp-load",
  "zed-codex-acp-shell-allow",
];

/** Where lines were lost or came twice, something of everything: asks, tools, plans, two processes. */
const DAMAGED = [
  "claude-agent-acp-ask",
  "codex-acp-load",
  "gemini-cancel-permission",
  "grok-shell-allow",
  "qwen-todo",
];

describe.each(languageFixturesOf("acp"))("language fixture %s", (name) => {
  it("is what the translator gives", () => expectFixture(protocol, "acp", name));
});

describe("recordings", () => {
  const names = recordingsOf("acp");

  it("there are many", () => expect(names.length).toBeGreaterThan(200));

  it.each(names)("%s", async (name) => {
    const events = replay(protocol, readRecordingText("acp", name));
    await expectWellFormed(events);
    if (VIEWS.includes(name)) await expectView("acp", name, events);
  });
});

it.each(DAMAGED)("%s with lines lost or doubled, or cut short", (name) => {
  expectDamageIsHarmless(protocol, readRecordingText("acp", name));
});
