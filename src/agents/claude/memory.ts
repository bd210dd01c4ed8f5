/**
 * What Claude Code keeps of a conversation: one file of lines in the folder of its project, and one for each sub-agent. It has
 * written them when it says that a turn has ended.
 */
import type { AdapterMemory } from "../../core/adapter-memory.ts";
import { conversationRoot } from "../transport/conversation-root.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { memoryOfFiles } from "../transport/memory-files.ts";

const ROOT = { variable: "CLAUDE_CONFIG_DIR", home: ".claude" };

export function memory({ environment }: Pick<AgentMeans, "environment">): AdapterMemory {
  return memoryOfFiles({
    root: (conversation) => conversationRoot(environment(), conversation, ROOT),
    patterns: ({ agentSessionId: id }) =>
      /^[\w-]+$/.test(id)
        ? [
            // By the id alone: the name of the folder is made of the path of the project.
            { pattern: `projects/*/${id}.jsonl` },
            { pattern: `projects/*/${id}/subagents/*.jsonl`, many: true },
          ]
        : [],
  });
}
