import fc from "fast-check";
import { expect, test } from "vitest";
import { AGENT_NAMES } from "../../../src/agents/registry.ts";
import { agentGlyph, agentMonogram } from "./agent-monogram.ts";

test("agents that come with Interlingua differ in letters or colour, but for the same one by another way", () => {
  const direct = AGENT_NAMES.filter((name) => !name.endsWith("-acp"));
  const looks = direct.map((name) => JSON.stringify(agentMonogram(name)));
  expect(new Set(looks).size).toBe(direct.length);
  expect(agentMonogram("claude-agent-acp")).toEqual(agentMonogram("claude"));
});

test("an unknown agent gets its initials, always the same", () => {
  expect(agentMonogram("my-agent")).toMatchObject({ letters: "MA", chroma: 1 });
  expect(agentMonogram("zed")).toMatchObject({ letters: "Ze" });
  expect(agentMonogram("--")).toMatchObject({ letters: "?" });
});

test("every name has one or two letters and a hue", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const { letters, hue } = agentMonogram(name);
      expect([...letters].length).toBeGreaterThan(0);
      expect([...letters].length).toBeLessThanOrEqual(4);
      expect(hue).toBeGreaterThanOrEqual(0);
      expect(hue).toBeLessThan(360);
    }),
  );
});

test("agents that come with Interlingua have a drawing, each its own but for the same one by another way", () => {
  const direct = AGENT_NAMES.filter((name) => !name.endsWith("-acp"));
  expect(direct.filter((name) => agentGlyph(name) === undefined)).toEqual([]);
  expect(new Set(direct.map(agentGlyph)).size).toBe(direct.length);
  expect(agentGlyph("claude-agent-acp")).toBe(agentGlyph("claude"));
  expect(agentGlyph("my-agent")).toBeUndefined();
});
