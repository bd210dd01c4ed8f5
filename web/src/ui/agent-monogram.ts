/** Letters and a colour for each agent. Those of unknown agents follow from the name. */

export interface AgentMonogram {
  letters: string;
  /** An angle of OKLCH. */
  hue: number;
  /** 1 for colours, 0 for grey. */
  chroma: number;
}

const KNOWN: ReadonlyMap<string, readonly [letters: string, hue: number, chroma?: number]> = new Map([
  ["claude", ["Cl", 45]],
  ["codex", ["Cx", 165]],
  ["opencode", ["Oc", 75]],
  ["amp", ["A", 20]],
  ["model", ["M", 290]],
  ["openai", ["AI", 185]],
  ["anthropic-api", ["An", 60]],
  ["mock", ["Mo", 270, 0]],
  ["gemini", ["G", 255]],
  ["qwen", ["Q", 300]],
  ["copilot", ["Co", 235]],
  ["grok", ["Gr", 0, 0]],
  ["droid", ["D", 35]],
  ["pi", ["π", 325]],
  ["goose", ["Go", 130]],
  ["cline", ["C", 215]],
  ["kimi", ["Ki", 275]],
  ["kilo", ["Kl", 105]],
]);

/** @example agentMonogram("claude") // { letters: "Cl", hue: 45, chroma: 1 } */
export function agentMonogram(agent: string): AgentMonogram {
  // The same agent by another way: claude-agent-acp, codex-acp.
  const [letters, hue, chroma = 1] = KNOWN.get(agent) ?? KNOWN.get(agent.replace(/(-agent)?-acp$/, "")) ?? [];
  if (letters !== undefined && hue !== undefined) return { letters, hue, chroma };
  return { letters: initialsOf(agent), hue: hueOf(agent), chroma: 1 };
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
