/** Letters, a colour and a drawing for each agent. Letters and colour of unknown agents follow from the name. */

export interface AgentMonogram {
  letters: string;
  /** An angle of OKLCH. */
  hue: number;
  /** 1 for colours, 0 for grey. */
  chroma: number;
}

type Mark = readonly [letters: string, hue: number, chroma: number, glyph: string];

/** The drawings are lines on a field of 20 by 20, drawn here and no vendor's mark. */
const KNOWN: ReadonlyMap<string, Mark> = new Map<string, Mark>([
  [
    "claude",
    ["Cl", 45, 1, "M4.5 13.5h11M6.6 13.5a3.4 3.4 0 0 1 6.8 0M10 5.2v1.9M5.3 7.9l1.3 1.3M14.7 7.9l-1.3 1.3"],
  ],
  ["codex", ["Cx", 165, 1, "M7.4 6.4 3.9 10l3.5 3.6M12.6 6.4l3.5 3.6-3.5 3.6M10 10h.01"]],
  ["opencode", ["Oc", 75, 1, "M8 5H5v10h3M12 5h3v10h-3"]],
  ["amp", ["A", 20, 1, "M3.8 10.3h2.7l2-5.3 3 10 2-4.7h2.7"]],
  ["model", ["M", 290, 1, "M10 5l5.2 9.3H4.8z"]],
  ["openai", ["AI", 185, 1, "M10 4.8a5.2 5.2 0 1 0 .01 0M10 8.3a1.7 1.7 0 1 0 .01 0"]],
  ["anthropic-api", ["An", 60, 1, "M5.5 9.8 10 5.3l4.5 4.5M5.5 14.7l4.5-4.5 4.5 4.5"]],
  ["mock", ["Mo", 270, 0, "M7.2 7v1.4M12.8 7v1.4M6 11.8a4.8 4.8 0 0 0 8 0"]],
  ["gemini", ["G", 255, 1, "M8 6.4a3.6 3.6 0 1 0 .01 0M12 6.4a3.6 3.6 0 1 0 .01 0"]],
  ["qwen", ["Q", 300, 1, "M9.8 5a4.8 4.8 0 1 0 .01 0M11.6 11.6l3.3 3.3"]],
  ["copilot", ["Co", 235, 1, "M10 3.9l3.2 6.1-3.2 6.1L6.8 10z"]],
  ["grok", ["Gr", 0, 0, "M5 6.3h10M5 10h7M5 13.7h4"]],
  ["droid", ["D", 35, 1, "M10 4.5l4.8 2.75v5.5L10 15.5l-4.8-2.75v-5.5zM10 10h.01"]],
  ["pi", ["π", 325, 1, "M5 6.8h10M8 6.8v7.5M12.2 6.8v5.6a1.9 1.9 0 0 0 1.9 1.9"]],
  ["goose", ["Go", 130, 1, "M3.9 7.6c3 0 5.2 1.9 6.1 5 .9-3.1 3.1-5 6.1-5"]],
  ["cline", ["C", 215, 1, "M5 6l4 4-4 4M11.2 14.2h4"]],
  ["kimi", ["Ki", 275, 1, "M15 11.6A5.3 5.3 0 1 1 8.6 5a4.3 4.3 0 0 0 6.4 6.6z"]],
  ["kilo", ["Kl", 105, 1, "M7.4 8.6h5.2l2.4 6.2H5zM10 5.2a1.7 1.7 0 1 0 .01 0"]],
]);

/** @example agentMonogram("claude") // { letters: "Cl", hue: 45, chroma: 1 } */
export function agentMonogram(agent: string): AgentMonogram {
  const [letters = initialsOf(agent), hue = hueOf(agent), chroma = 1] = knownMark(agent) ?? [];
  return { letters, hue, chroma };
}

/** Undefined for agents that are not known: they have letters. */
export function agentGlyph(agent: string): string | undefined {
  return knownMark(agent)?.[3];
}

/** That of the same agent by another way, too: claude-agent-acp, codex-acp. */
function knownMark(agent: string): Mark | undefined {
  return KNOWN.get(agent) ?? KNOWN.get(agent.replace(/(-agent)?-acp$/, ""));
}

function initialsOf(agent: string): string {
  const words = agent.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== "");
  const [first = "?", second] = words;
  const [head = "?", next = ""] = first;
  const [other] = second ?? "";
  return head.toUpperCase() + (other?.toUpperCase() ?? next.toLowerCase());
}

function hueOf(agent: string): number {
  let sum = 0;
  for (const letter of agent) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}
