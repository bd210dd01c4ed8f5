/** What the mock keeps of a conversation: one small file in its own directory. */
import type { AdapterMemory } from "../../core/adapter-memory.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { memoryOfFiles } from "../transport/memory-files.ts";

export function memory({ directory }: Pick<AgentMeans, "directory">): AdapterMemory {
  const files = memoryOfFiles({
    root: () => directory(),
    patterns: ({ agentSessionId: id }) => (/^mock-[\w-]+$/.test(id) ? [{ pattern: `${id}.json` }] : []),
  });
  // Its files lie in the data directory, which has no secrets.
  return { ...files, keepsPlaceholders: true };
}
