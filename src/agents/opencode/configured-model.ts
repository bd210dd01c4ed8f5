/** The model that the user's own configuration of OpenCode has chosen for a directory. */
import { InterlinguaError } from "../../core/error.ts";
import type { Lease } from "../transport/shared-pool.ts";
import { NO_MODEL } from "./inbound/opening.ts";
import type { OpenCodeServer } from "./server.ts";
import type { WireConfiguration } from "./wire.ts";

/** Rejects with `agent_failed` when there is none: left to itself OpenCode would take one that nobody chose. */
export async function configuredModel(
  { resource: server, release }: Lease<OpenCodeServer>,
  directory: string,
): Promise<string> {
  try {
    const { body } = await server.ask({ id: 0, method: "GET", path: "/config" }, directory);
    const { model } = (body ?? {}) as WireConfiguration;
    if (model !== undefined) return model;
    throw new InterlinguaError("agent_failed", `OpenCode could not be used: ${NO_MODEL}.`);
  } finally {
    release();
  }
}
