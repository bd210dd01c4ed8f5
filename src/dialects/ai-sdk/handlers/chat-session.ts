/** Finds the session of a chat, or creates it from the request. */
import { agentNameOf } from "../../../core/agent-alias.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { Principal } from "../../../core/principal.ts";
import type { SessionRow } from "../../../core/store.ts";
import type { DialectServices } from "../../dialect.ts";
import type { ChatRequest } from "../schemas.ts";

const SETTINGS = ["model", "mode", "permissionMode"] as const;

export async function chatSession(
  services: DialectServices,
  id: string,
  request: ChatRequest,
  by: Principal,
): Promise<void> {
  const { store } = services;
  const known = await store.getSession(id);
  if (known) return changeSession(services, known, request, by);
  try {
    await createSession(services, id, request, by);
  } catch (error) {
    if (!InterlinguaError.isInstance(error) || error.code !== "session_exists") throw error;
    // Another request created it in the meantime, or the token does not see it.
    const created = await store.getSession(id);
    if (!created) throw error;
    await changeSession(services, created, request, by);
  }
}

async function changeSession(
  services: DialectServices,
  known: SessionRow,
  request: ChatRequest,
  by: Principal,
): Promise<void> {
  await assertSameSession(services, known, request);
  const changes = SETTINGS.filter((name) => request[name] !== undefined && request[name] !== known[name]);
  if (changes.length === 0) return;
  await services.engine.run(
    "updateSession",
    { ...Object.fromEntries(changes.map((name) => [name, request[name]])), session: known.id },
    by,
  );
}

async function createSession(
  services: DialectServices,
  id: string,
  request: ChatRequest,
  by: Principal,
): Promise<void> {
  const { engine, defaultAgent, resolveDirectory } = services;
  const { agent = defaultAgent, model, mode, permissionMode } = request;
  const cwd = await resolveDirectory(request.cwd);
  await engine.run("createSession", { id, agent, cwd, model, mode, permissionMode }, by);
}

/** A conversation stays with its agent and in its directory. */
async function assertSameSession(
  { resolveDirectory }: DialectServices,
  known: SessionRow,
  { agent, cwd }: ChatRequest,
): Promise<void> {
  if (agent !== undefined && agentNameOf(agent) !== known.agent)
    throw new InterlinguaError(
      "session_exists",
      `This chat belongs to ${known.agent}. Begin a new one for ${agent}.`,
    );
  if (cwd !== undefined && (await resolveDirectory(cwd)) !== known.cwd)
    throw new InterlinguaError(
      "session_exists",
      `This chat works in ${known.cwd}. Begin a new one for ${cwd}.`,
    );
}
