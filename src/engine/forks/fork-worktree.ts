/** Forks into a git worktree: with the files as they were where the copied conversation ends. */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { Worktree } from "../../core/worktree.ts";
import type { ForkSession } from "../../protocol/commands/command-types.ts";
import type { Services } from "../engine-services.ts";
import type { CheckpointView } from "../files/checkpoint-history.ts";
import { addWorktree, worktreeNotice } from "../files/session-worktree.ts";
import { keptElsewhere } from "../files/workspace-refusals.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { forkSession } from "./fork-session.ts";

export interface ForkWorktreeOptions extends Pick<ForkSession, "before"> {
  /** Of the new session. */
  id: string;
  by: Principal;
  /** The checkpoints of the session that is copied. */
  checkpoints(): Promise<readonly CheckpointView[]>;
}

interface ForkWorktree extends Worktree {
  /** Why it has the files of the last commit only. */
  problem?: string;
}

/** As `forkSession`. Throws `worktree_impossible` too. */
export async function forkIntoWorktree(
  services: Services,
  sessions: SessionDirectory,
  origin: SessionActor,
  options: ForkWorktreeOptions,
): Promise<SessionActor> {
  const { id, before, by } = options;
  let isMade = false;
  const findPlace = async () => {
    const made = await addFilledWorktree(services, origin, options);
    isMade = true;
    const { directory } = made;
    return { directory, notice: noticeOf(made), hasFilesOfNow: before === undefined };
  };
  try {
    return await forkSession(services, sessions, origin, { id, before, by, findPlace });
  } catch (error) {
    // One that may be committed keeps it.
    if (isMade && !sessions.peek(id)) await services.worktrees?.discard(id);
    throw error;
  }
}

async function addFilledWorktree(
  services: Services,
  origin: SessionActor,
  { id, before, checkpoints }: ForkWorktreeOptions,
): Promise<ForkWorktree> {
  const { id: session, cwd: directory, turn } = origin.state;
  const find = async (): Promise<string | undefined> => {
    if (before === undefined) return turn ? turn.before : (await origin.checkpoints.take()).id;
    const first = (await services.store.getMessage(session, before))?.turn;
    const found = (await checkpoints()).find(({ kind, turn }) => kind === "before" && turn === first);
    if (found?.elsewhere !== undefined) throw keptElsewhere(found.id, found.elsewhere);
    return found?.id;
  };
  const isServed =
    origin.checkpoints.workspace !== undefined && (await origin.checkpoints.canServe().catch(() => false));
  const checkpoint = isServed ? await find().catch(unlessElsewhere) : undefined;
  const made = await addWorktree(services, { session: id, directory, checkpoint });
  return checkpoint === undefined ? { ...made, problem: "there is no checkpoint from then" } : made;
}

/** What another node has is not replaced by what is here. */
function unlessElsewhere(error: unknown): undefined {
  if (InterlinguaError.isInstance(error) && error.code === "checkpoint_elsewhere") throw error;
  return undefined;
}

/** What the log of the new session says about it. */
function noticeOf(made: ForkWorktree) {
  const { problem } = made;
  if (problem === undefined)
    return worktreeNotice(made, "It has the files as they were where the copy ends, committed or not.");
  return worktreeNotice(made, `It has the files of the last commit: ${problem}.`, true);
}
