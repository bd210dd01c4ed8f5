/** The server of a session that is about to be resumed, for bringing its events back. */
import type { Conversation } from "../../core/adapter-memory.ts";
import { InterlinguaError } from "../../core/error.ts";
import { requireSupportedProgram } from "../transport/agent-program.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { VERSIONS } from "./program.ts";
import type { OpenCodeServers } from "./servers.ts";
import type { WireRequest } from "./wire.ts";

export interface MemoryServer {
  /** `isNew`: what the server has of the session is forgotten first. */
  replay(events: readonly object[], options: { isNew: boolean }): Promise<void>;
}

/** It is one that the session will use, or ends soon after. */
export async function withServer(
  resources: AgentResources<OpenCodeServers>,
  conversation: Conversation,
  act: (server: MemoryServer) => Promise<void>,
): Promise<void> {
  const { shared: servers, directory, environment } = resources;
  const { cwd, agentSessionId, model, signal } = conversation;
  const program = await requireSupportedProgram(resources, VERSIONS, signal);
  const how = { program, connect: conversation, cwd: directory(), environment: environment(), model };
  const { resource: server, release } = await servers.acquire(how);
  const call = async (request: Omit<WireRequest, "id">) => {
    const { status, error } = await server.ask({ id: 0, ...request }, cwd, signal);
    signal?.throwIfAborted();
    if (status !== undefined && status < 300) return;
    throw new InterlinguaError(
      "agent_failed",
      `OpenCode did not take the conversation back: ${error ?? `it answered ${status}`}.`,
    );
  };
  try {
    await act({
      async replay(events, { isNew }) {
        if (isNew) await call({ method: "DELETE", path: `/session/${agentSessionId}` });
        await call({ method: "POST", path: "/sync/replay", body: { directory: cwd, events } });
      },
    });
  } finally {
    release();
  }
}
