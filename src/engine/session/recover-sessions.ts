/** Takes up sessions that a dead daemon left in the middle of something. */
import { InterlinguaError } from "../../core/error.ts";
import type { Services } from "../engine-services.ts";
import type { SessionDirectory } from "./session-directory.ts";

/** Gives those that could not be taken up, though no other node has them. */
export async function recoverSessions(
  services: Services,
  sessions: SessionDirectory,
  ids: readonly string[],
): Promise<string[]> {
  const release = await holdDirectories(services, ids);
  const failed: string[] = [];
  try {
    for (const id of ids) {
      if (sessions.isStopped) break;
      if (!(await takeUp(services, sessions, id))) failed.push(id);
    }
    return failed;
  } finally {
    release();
  }
}

/** One of the sessions may have been restoring files: until all are taken up, no prompt begins in their directories. */
async function holdDirectories(
  { store, workspace, inRestore }: Services,
  ids: readonly string[],
): Promise<() => void> {
  if (!workspace) return () => {};
  const directories = new Set<string>();
  for (const id of ids) {
    const row = await store.getSession(id).catch(() => undefined);
    if (row) directories.add(row.cwd);
  }
  const releases = [...directories].map((directory) => inRestore.hold(directory));
  return () => {
    for (const release of releases) release();
  };
}

/** Whether this node has it now, or another one. */
async function takeUp({ logger }: Services, sessions: SessionDirectory, id: string): Promise<boolean> {
  try {
    const actor = await sessions.get(id);
    await actor.log.flush();
    return true;
  } catch (error) {
    // Another node was faster. It may be lost in the next moment, too.
    if (InterlinguaError.isInstance(error) && ["not_owner", "session_moved"].includes(error.code))
      return true;
    logger.error({ err: error, session: id }, "a session could not be taken up again");
    return false;
  }
}
