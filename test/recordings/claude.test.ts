/** Every recording of Claude Code through our translator: well formed, readable, and where it matters read by eye. */
import { describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/claude/protocol.ts";
import {
  expectFixture,
  expectWellFormed,
  languageFixturesOf,
  readRecordingText,
  recordingsOf,
  replay,
} from "./support.ts";

describe.each(languageFixturesOf("claude"))("language fixture %s", (name) => {
  it("is what the translator gives", () => expectFixture(protocol, "claude", name));
});

describe("recordings", () => {
  const names = recordingsOf("claude");

  it("there are many", () => expect(names.length).toBeGreaterThanOrEqual(165));

  it.each(names)("%s", async (name) => {
    const events = replay(protocol, readRecordingText("claude", name));
    await expectWellFormed(events);
  });
});
