/** A drawing for each agent that comes with Interlingua: lines on a field of 20 by 20, drawn here and no vendor's mark. */

const GLYPHS: ReadonlyMap<string, string> = new Map([
  ["claude", "M4.5 13.5h11M6.6 13.5a3.4 3.4 0 0 1 6.8 0M10 5.2v1.9M5.3 7.9l1.3 1.3M14.7 7.9l-1.3 1.3"],
  ["codex", "M7.4 6.4 3.9 10l3.5 3.6M12.6 6.4l3.5 3.6-3.5 3.6M10 10h.01"],
  ["opencode", "M8 5H5v10h3M12 5h3v10h-3"],
  ["amp", "M3.8 10.3h2.7l2-5.3 3 10 2-4.7h2.7"],
  ["model", "M10 5l5.2 9.3H4.8z"],
  ["openai", "M10 4.8a5.2 5.2 0 1 0 .01 0M10 8.3a1.7 1.7 0 1 0 .01 0"],
  ["anthropic-api", "M5.5 9.8 10 5.3l4.5 4.5M5.5 14.7l4.5-4.5 4.5 4.5"],
  ["mock", "M7.2 7v1.4M12.8 7v1.4M6 11.8a4.8 4.8 0 0 0 8 0"],
  ["gemini", "M8 6.4a3.6 3.6 0 1 0 .01 0M12 6.4a3.6 3.6 0 1 0 .01 0"],
  ["qwen", "M9.8 5a4.8 4.8 0 1 0 .01 0M11.6 11.6l3.3 3.3"],
  ["copilot", "M10 3.9l3.2 6.1-3.2 6.1L6.8 10z"],
  ["grok", "M5 6.3h10M5 10h7M5 13.7h4"],
  ["droid", "M10 4.5l4.8 2.75v5.5L10 15.5l-4.8-2.75v-5.5zM10 10h.01"],
  ["pi", "M5 6.8h10M8 6.8v7.5M12.2 6.8v5.6a1.9 1.9 0 0 0 1.9 1.9"],
  ["goose", "M3.9 7.6c3 0 5.2 1.9 6.1 5 .9-3.1 3.1-5 6.1-5"],
  ["cline", "M5 6l4 4-4 4M11.2 14.2h4"],
  ["kimi", "M15 11.6A5.3 5.3 0 1 1 8.6 5a4.3 4.3 0 0 0 6.4 6.6z"],
  ["kilo", "M7.4 8.6h5.2l2.4 6.2H5zM10 5.2a1.7 1.7 0 1 0 .01 0"],
]);

/**
 * Undefined for agents that are not known: they have letters.
 *
 * @example agentGlyph("codex-acp") === agentGlyph("codex")
 */
export function agentGlyph(agent: string): string | undefined {
  return GLYPHS.get(agent) ?? GLYPHS.get(agent.replace(/(-agent)?-acp$/, ""));
}
