/** Every recording of Amp through our translator: well formed, readable, and where it matters read by eye. */
import { describe, expect, it } from "vitest";
import { protocol } from "../../src/agents/amp/protocol.ts";
import {
  expectDamageIsHarmless,
  expectView,
  expectWellFormed,
  readRecordingText,
  recordingsOf,
  replay,
} from "./support.ts";

describe("recordings", () => {
  const names = recordingsOf("amp");

  it("there are many", () => expect(names.length).toBeGreaterThan(14));

  it.each(names)("%s", async (name) => {
    const events = replay(protocol, readRecordingText("amp", name));
    await expectWellFormed(events);
    await expectView("amp", name, events);
  });

  it.each(names)("%s with lines lost or doubled, or cut short", (name) => {
    expectDamageIsHarmless(protocol, readRecordingText("amp", name));
  });
});
