/** Counts messages and fields of agents that nothing uses, by the agent's names for them. */

/** Beyond this many names the rest is counted together. */
const NAMES_PER_AGENT = 500;
const NAME_LENGTH = 120;
const REST = "other";

export interface UnreadCount {
  /** A message or a field of one: `result.ttft_ms`. */
  native: string;
  count: number;
}

export class UnreadCounts {
  readonly #agents = new Map<string, Map<string, number>>();

  add(agent: string, native: string): void {
    let counts = this.#agents.get(agent);
    if (!counts) {
      counts = new Map();
      this.#agents.set(agent, counts);
    }
    const name = native.length > NAME_LENGTH ? `${native.slice(0, NAME_LENGTH)}…` : native;
    const known = counts.get(name);
    if (known === undefined && counts.size >= NAMES_PER_AGENT) counts.set(REST, (counts.get(REST) ?? 0) + 1);
    else counts.set(name, (known ?? 0) + 1);
  }

  /** The most frequent first. */
  of(agent: string): UnreadCount[] {
    const counts = [...(this.#agents.get(agent) ?? [])].map(([native, count]) => ({ native, count }));
    return counts.sort((a, b) => b.count - a.count);
  }

  all(): (UnreadCount & { agent: string })[] {
    return [...this.#agents.keys()].flatMap((agent) => this.of(agent).map((count) => ({ agent, ...count })));
  }
}
