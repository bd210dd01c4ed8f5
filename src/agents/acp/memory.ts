/** What an ACP agent keeps of a conversation, where its preset says which files that are. */
import type { AdapterMemory } from "../../core/adapter-memory.ts";
import { conversationRoot } from "../transport/conversation-root.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { memoryOfFiles } from "../transport/memory-files.ts";
import type { AcpAgent } from "./agent.ts";

/** Undefined where nobody knows, or the files lie on another machine. */
export function memoryOf(
  { memory, remote }: AcpAgent,
  { environment }: Pick<AgentMeans, "environment">,
): AdapterMemory | undefined {
  if (!memory || remote) return undefined;
  return memoryOfFiles({
    root: (conversation) => conversationRoot(environment(), conversation, memory),
    patterns: ({ agentSessionId: id }) =>
      /^[\w-]+$/.test(id) ? memory.files.map((file) => patternOf(file, id)) : [],
  });
}

/** Whoever has a `*` in the name of the file itself may get more of them. */
function patternOf(file: string, id: string) {
  const pattern = file.replaceAll("{id}", id).replaceAll("{id:8}", id.slice(0, 8));
  return { pattern, ...(file.endsWith("*.jsonl") && { many: true as const }) };
}
