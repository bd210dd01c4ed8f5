/** The agent's own message beside what was made of it. */

/** Undefined where the daemon sends none: it does on streams that were asked to include it. */
export function rawAgentMessageOf(chunk: object): unknown {
  const { providerMetadata } = chunk as { providerMetadata?: Readonly<Record<string, { raw?: unknown }>> };
  return Object.values(providerMetadata ?? {}).find(({ raw }) => raw !== undefined)?.raw;
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
