/** Copies a session of the server. */
import type { ConversationPlace } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { OpenCodeServer } from "./server.ts";

/** OpenCode cuts before a message. */
export async function fork(
  server: OpenCodeServer,
  session: string | undefined,
  directory: string,
  { before, signal }: Omit<ConversationPlace, "agentSessionId"> & { signal?: AbortSignal } = {},
): Promise<string> {
  const path = `/session/${session}/fork`;
  const body = { messageID: before };
  const { body: copy, error } = await server.ask({ id: 0, method: "POST", path, body }, directory, signal);
  signal?.throwIfAborted();
  const { id } = (copy ?? {}) as { id?: string };
  if (id !== undefined) return id;
  throw new InterlinguaError(
    "agent_failed",
    `OpenCode did not copy the session${error ? `: ${error}` : ""}.`,
  );
}
