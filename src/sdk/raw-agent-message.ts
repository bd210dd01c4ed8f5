/** The agent's own message beside what was made of it. */

/** Under the agent's name on chunks that have room for it; others, and those of large messages, have none. */
export function rawAgentMessageOf(chunk: object): unknown {
  const { providerMetadata } = chunk as {
    providerMetadata?: Readonly<Record<string, { message?: unknown }>>;
  };
  return Object.values(providerMetadata ?? {}).find(({ message }) => message !== undefined)?.message;
}

/** What a raw record holds of the agent: its message, or the text where that is none. */
export function agentMessageOf(data: unknown): unknown {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
