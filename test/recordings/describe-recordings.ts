/**
 * The suite every agent's recordings go through: well formed, readable, and where it matters read by eye. What only one
 * agent's recordings show is in its own test.
 */
import { describe, expect, it } from "vitest";
import type { AgentProtocol } from "../../src/agents/transport/agent-protocol.ts";
import {
  expectDamageIsHarmless,
  expectFixture,
  expectView,
  expectWellFormed,
  languageFixturesOf,
  readRecordingText,
  recordingsOf,
  replay,
  viewsOf,
} from "./support.ts";

export interface RecordedAgent<State> {
  /** Its folder of fixtures. */
  agent: string;
  protocol: AgentProtocol<State>;
  /** How many recordings there are at least, lest they are lost unseen. */
  atLeast: number;
  /** The recordings whose golden view was read by eye. */
  views: readonly string[];
  /** The recordings that are also tried with lines lost or doubled: something of everything. */
  damaged: readonly string[];
}

export function describeRecordings<State>(recorded: RecordedAgent<State>): void {
  const { agent, protocol, atLeast, views, damaged } = recorded;
  const names = recordingsOf(agent);
  // All of them in CI; else those that are read by eye, and every third of the others.
  const played =
    process.env.RECORDINGS === "all"
      ? names
      : names.filter((name, place) => views.includes(name) || place % 3 === 0);

  describe.each(languageFixturesOf(agent))("language fixture %s", (name) => {
    it("is what the translator gives", () => expectFixture(protocol, agent, name));
  });

  describe("recordings", () => {
    it("there are many", () => expect(names.length).toBeGreaterThanOrEqual(atLeast));

    it("there is one for each golden view, and each golden view is compared", () => {
      expect(viewsOf(agent)).toEqual([...views].sort());
      expect(views.filter((name) => !names.includes(name))).toEqual([]);
    });

    it.each(played)("%s", async (name) => {
      const events = replay(protocol, readRecordingText(agent, name));
      await expectWellFormed(events);
      if (views.includes(name)) await expectView(agent, name, events);
    });

    it.each(damaged)("%s with lines lost or doubled, or cut short", (name) => {
      expectDamageIsHarmless(protocol, readRecordingText(agent, name));
    });
  });
}
