/** Creates a session, or finds the one that an equal request created before. */
import type { AgentSettings } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { emptyState } from "../../core/session-state.ts";
import type { CreateSession } from "../../protocol/commands/command-types.ts";
import type { Services } from "../engine-services.ts";
import { addWorktree, worktreeNotice } from "../files/session-worktree.ts";
import { PromptContents } from "../prompts/prompt-contents.ts";
import { assertNoPlaceholders, maskFor, maskFreeFields } from "../secrets/session-secrets.ts";
import { requestDigest } from "./canonical-json.ts";
import { createMachine } from "./load-session.ts";
import { Projector } from "./projector.ts";
import type { SessionActor } from "./session-actor.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { SessionLog } from "./session-log.ts";

/**
 * The actor of a new session once it is committed. Undefined if an equal request created it before; throws
 * `session_exists` if a different one did, and `worktree_impossible`. Two calls for one id must not overlap. `settings` are those of the request
 * and what follows from them.
 */
export async function createSession(
  services: Services,
  sessions: SessionDirectory,
  id: string,
  request: CreateSession,
  { settings, by }: { settings: AgentSettings; by: string },
): Promise<SessionActor | undefined> {
  assertNoPlaceholders(request);
  const { env, id: _id, worktree: isApart, ...rest } = request;
  const { settings: chosen, ...words } = settings;
  const names = env && { env: Object.keys(env).sort() };
  const digest = await requestDigest({ ...rest, ...names, ...(isApart && { worktree: true }) });
  const known = await requestOf(services, sessions, id);
  if (known === digest) return undefined;
  if (known !== undefined) {
    const detail = `Session "${id}" exists with another agent, directory or options. Choose another id.`;
    throw new InterlinguaError("session_exists", detail);
  }
  // Whoever asked has looked, but may be another node: what counts are the roots of the one that makes it.
  await services.assertDirectory(request.cwd, id);
  const state = emptyState(id);
  const contents = new PromptContents(id, services.store);
  const log = new SessionLog({
    machine: createMachine(state, services),
    contents,
    projector: new Projector(state, contents),
    services,
    request: digest,
    rawHead: 0,
  });
  const mask = maskFor(services.agentSettings[request.agent], env);
  using _prepared = await mask.prepare(rest, services.slices);
  const { settings: _settings, ...fields } = maskFreeFields(mask, { ...rest, ...words });
  const worktree = isApart ? await addWorktree(services, { session: id, directory: request.cwd }) : undefined;
  try {
    log.act((machine) => {
      const cwd = worktree?.directory ?? request.cwd;
      const { onLost = services.onLost } = request;
      machine.create({ ...fields, cwd, chosen, ...names, onLost, by });
      if (worktree) machine.apply(worktreeNotice(worktree, "It has the files of the last commit."));
    });
    const actor = sessions.add(log, env);
    await log.durable();
    actor.checkpoints.begin();
    return actor;
  } catch (error) {
    // One that may be committed keeps it.
    if (worktree && !sessions.peek(id)) await services.worktrees?.discard(id);
    throw error;
  }
}

/** The request that created a session, committed or not. */
async function requestOf(
  { store }: Services,
  sessions: SessionDirectory,
  id: string,
): Promise<string | undefined> {
  const actor = await sessions.peek(id)?.catch(() => undefined);
  if (!actor) return (await store.getSession(id))?.request;
  await actor.log.durable();
  return actor.log.request;
}
