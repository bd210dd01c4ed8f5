/** Makes a fork, in the directory of the other session, in another one or in a worktree of its own, or finds it made before. */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { ForkSession } from "../../protocol/commands/command-types.ts";
import type { Services } from "../engine-services.ts";
import type { CheckpointView } from "../files/checkpoint-history.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { forkSession } from "./fork-session.ts";
import { forkIntoWorktree } from "./fork-worktree.ts";

export interface ForkOrigin {
  origin: SessionActor;
  checkpoints(): Promise<readonly CheckpointView[]>;
}

export interface WantedFork extends ForkSession {
  /** Of the new session. */
  id: string;
  by: Principal;
}

/** As `forkSession` and `forkIntoWorktree`. Throws `session_exists` too. */
export async function makeFork(
  services: Services,
  sessions: SessionDirectory,
  { origin, checkpoints }: ForkOrigin,
  { id, before, cwd, worktree, by }: WantedFork,
): Promise<SessionActor> {
  const known = await services.store.getSession(id);
  if (known) {
    const { forkedFrom } = known;
    if (forkedFrom?.session !== origin.state.id || forkedFrom.message !== before)
      throw new InterlinguaError("session_exists", `Session "${id}" exists and differs. Choose another id.`);
    return sessions.get(id).catch((error: unknown) => {
      throw withoutOwner(error, id);
    });
  }
  // What counts are the roots of the node that makes it. One that goes on there may be where its origin may.
  await services.assertDirectory(cwd ?? origin.state.cwd, cwd === undefined ? origin.state.id : id);
  if (worktree) return forkIntoWorktree(services, sessions, origin, { id, before, checkpoints, by });
  const findPlace = cwd === undefined ? undefined : async () => ({ directory: cwd });
  return forkSession(services, sessions, origin, { id, before, by, cwd, findPlace });
}

/** Who has the copy cannot do the fork again: whoever asked has to ask for the copy. */
function withoutOwner(error: unknown, id: string): unknown {
  if (!InterlinguaError.isInstance(error) || error.code !== "not_owner") return error;
  return new InterlinguaError("session_exists", `The fork was made before: it is session "${id}".`);
}
