/** Copies a session of the server. */
import { InterlinguaError } from "../../core/error.ts";
import type { OpenCodeServer } from "./server.ts";

export async function fork(
  server: OpenCodeServer,
  session: string | undefined,
  directory: string,
): Promise<string> {
  const path = `/session/${session}/fork`;
  const { body, error } = await server.ask({ id: 0, method: "POST", path, body: {} }, directory);
  const { id } = (body ?? {}) as { id?: string };
  if (id !== undefined) return id;
  throw new InterlinguaError(
    "agent_failed",
    `OpenCode did not copy the session${error ? `: ${error}` : ""}.`,
  );
}
