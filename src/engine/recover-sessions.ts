/** Takes up sessions that a dead daemon left in the middle of something. */
import { InterlinguaError } from "../core/error.ts";
import type { Services } from "./engine-services.ts";
import type { SessionDirectory } from "./session-directory.ts";

export async function recoverSessions(
  services: Services,
  sessions: SessionDirectory,
  ids: readonly string[],
): Promise<void> {
  const release = await holdDirectories(services, ids);
  try {
    for (const id of ids) {
      if (sessions.isStopped) break;
      await takeUp(services, sessions, id);
    }
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

async function takeUp({ logger }: Services, sessions: SessionDirectory, id: string): Promise<void> {
  try {
    const actor = await sessions.get(id);
    await actor.log.flush();
  } catch (error) {
    // Another node was faster.
    if (InterlinguaError.isInstance(error) && ["not_owner", "session_moved"].includes(error.code)) return;
    logger.error({ err: error, session: id }, "a session could not be taken up again");
  }
}
