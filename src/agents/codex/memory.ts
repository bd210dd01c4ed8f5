/** What Codex keeps of a thread: its rollout, a file of lines in a folder of the day it was begun. */
import type { AdapterMemory, Conversation } from "../../core/adapter-memory.ts";
import { conversationRoot } from "../transport/conversation-root.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { memoryOfFiles } from "../transport/memory-files.ts";
import { findProgram } from "./program.ts";
import type { CodexServers } from "./servers.ts";

const ROOT = { variable: "CODEX_HOME", home: ".codex" };

export function memory(resources: AgentResources<CodexServers>): AdapterMemory {
  const { environment } = resources;
  return memoryOfFiles({
    root: (conversation) => conversationRoot(environment(), conversation, ROOT),
    patterns: ({ agentSessionId: id }) =>
      /^[\w-]+$/.test(id) ? [{ pattern: `sessions/*/*/*/rollout-*-${id}.jsonl` }] : [],
    unload: (conversation) => unload(resources, conversation),
  });
}

/**
 * A server that runs for others may still have the thread as it was here before, and would go on from that. Archiving a
 * thread makes it forget; the file that is back afterwards is replaced.
 */
async function unload(
  { programs, shared: servers }: AgentResources<CodexServers>,
  { agentSessionId: threadId, environment: own, signal }: Conversation,
): Promise<void> {
  const { resource: server, release } = await servers.acquire(await findProgram(programs), { own, signal });
  try {
    const { data = [] } = (await server.call("thread/loaded/list", {}, { signal })) as {
      data?: readonly string[];
    };
    if (!data.includes(threadId)) return;
    signal?.throwIfAborted();
    // Not stopped halfway: the thread would stay archived.
    await server.call("thread/archive", { threadId });
    await server.call("thread/unarchive", { threadId });
  } finally {
    release();
  }
}
