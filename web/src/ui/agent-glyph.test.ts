import { expect, test } from "vitest";
import { AGENT_NAMES } from "../../../src/agents/registry.ts";
import { agentGlyph } from "./agent-glyph.ts";

test("agents that come with Interlingua have a drawing, each its own but for the same one by another way", () => {
  const direct = AGENT_NAMES.filter((name) => !name.endsWith("-acp"));
  expect(direct.filter((name) => agentGlyph(name) === undefined)).toEqual([]);
  expect(new Set(direct.map(agentGlyph)).size).toBe(direct.length);
  expect(agentGlyph("claude-agent-acp")).toBe(agentGlyph("claude"));
  expect(agentGlyph("my-agent")).toBeUndefined();
});
