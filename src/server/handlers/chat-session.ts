/** The session of a chat: found, or made with what the request says. */
import { InterlinguaError } from "../../core/error.ts";
import type { SessionRow } from "../../core/store.ts";
import type { ChatRequest } from "../../protocol/schemas/chat.ts";
import type { HandlerDependencies } from "./index.ts";

const SETTINGS = ["model", "mode", "permissionMode"] as const;

export async function chatSession(
  dependencies: HandlerDependencies,
  id: string,
  request: ChatRequest,
): Promise<void> {
  const { engine, store } = dependencies;
  const known = await store.getSession(id);
  if (!known) return createSession(dependencies, id, request);
  await demandSame(dependencies, known, request);
  const changes = SETTINGS.filter((name) => request[name] !== undefined && request[name] !== known[name]);
  if (changes.length === 0) return;
  await engine.updateSession(id, Object.fromEntries(changes.map((name) => [name, request[name]])));
}

async function createSession(
  dependencies: HandlerDependencies,
  id: string,
  request: ChatRequest,
): Promise<void> {
  const { engine, roots, config } = dependencies;
  const { agent = config.defaultAgent, model, mode, permissionMode } = request;
  const cwd = await roots.directory(request.cwd);
  try {
    await engine.createSession({
      id,
      agent,
      cwd,
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
      ...(permissionMode !== undefined && { permissionMode }),
    });
  } catch (error) {
    // Another request made it in the meantime.
    if (!InterlinguaError.isInstance(error) || error.code !== "session_exists") throw error;
    await chatSession(dependencies, id, request);
  }
}

/** A conversation stays with its agent and in its directory. */
async function demandSame(
  { roots }: HandlerDependencies,
  known: SessionRow,
  { agent, cwd }: ChatRequest,
): Promise<void> {
  if (agent !== undefined && agent !== known.agent)
    throw new InterlinguaError(
      "session_exists",
      `This chat belongs to ${known.agent}. Begin a new one for ${agent}.`,
    );
  if (cwd !== undefined && (await roots.directory(cwd)) !== known.cwd)
    throw new InterlinguaError(
      "session_exists",
      `This chat works in ${known.cwd}. Begin a new one for ${cwd}.`,
    );
}
