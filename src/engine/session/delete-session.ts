/** Deletes a session with all that was kept for it: its agent, its log, its checkpoints and its worktree. */
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { isRetryable } from "../commits/group-commit.ts";
import type { Services } from "../engine-services.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { storeUnavailable } from "./session-log.ts";

/** Creation and another deletion of the same session must not overlap with it. */
export async function deleteSession(
  services: Services,
  sessions: SessionDirectory,
  id: string,
): Promise<void> {
  const actor = await sessions.get(id).catch(assertDeletable);
  try {
    await (actor ? actor.destroy(sessionNotFound(id)) : releaseAgent(services, id));
    await releaseWorktree(services, id);
    // An append that is under way comes before the deletion, and nothing more is written of a log that has ended.
    await services.store.deleteSession(id, actor?.log.claim);
    await forgetCheckpoints(services, id);
  } catch (error) {
    throw isRetryable(error) ? storeUnavailable(errorText(error)) : error;
  } finally {
    // If it failed, the session is read again from the store and goes on from there.
    sessions.forget(id);
    if (actor) await services.ownership.release(id, actor.log.claim);
  }
  sessions.forgetEnvironment(id);
  services.listeners.deleted(id);
}

/** A session that cannot be read can be deleted all the same. */
function assertDeletable(error: unknown): undefined {
  if (InterlinguaError.isInstance(error) && error.code === "session_damaged") return undefined;
  throw error;
}

async function releaseAgent({ store, agents }: Services, id: string): Promise<void> {
  const agent = (await store.getSession(id).catch(() => undefined))?.agent;
  await agents.get(agent ?? "")?.release(id);
}

/** Before the session is gone: after that nobody knows whose it is. Others may work in it. */
async function releaseWorktree({ worktrees, store, logger }: Services, id: string): Promise<void> {
  if (!worktrees) return;
  try {
    const cwd = (await store.getSession(id))?.cwd;
    const { sessions } = await store.listSessions({ cwd, limit: 2 });
    const released = await worktrees.release(id, { isShared: sessions.length > 1 });
    if (released === "kept")
      logger.info(
        { session: id, directory: cwd },
        "the worktree of a deleted session stays: it may hold work",
      );
  } catch (error) {
    logger.error({ err: error, session: id }, "the worktree of a session could not be removed");
  }
}

/** The session is gone whether that works or not. */
async function forgetCheckpoints({ workspace, logger }: Services, id: string): Promise<void> {
  await workspace?.forget(id).catch((error) => {
    logger.error({ err: error, session: id }, "checkpoints of a session could not be deleted");
  });
}
