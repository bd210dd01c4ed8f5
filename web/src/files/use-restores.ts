/** The checkpoints of a session in which files went back, read again when the session goes on. */
import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react";
import { daemon } from "../api/client.ts";
import type { Checkpoint } from "../api/types.ts";
import { useConversation } from "../chat/conversation-context.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { withoutDirectory } from "../parts/relative-path.ts";
import { undoneBy } from "./undone-by.ts";

/** They are not read more often. */
const PAUSE_MS = 1_000;

const NONE: readonly Checkpoint[] = [];

/** Empty where no files went back. */
export const RestoresContext = createContext(NONE);

/** By path, the checkpoint before the restore that took back what the message around did to it. */
export const UndoneContext = createContext<ReadonlyMap<string, Checkpoint>>(new Map());

export function useRestores(session: string, hasEdits: boolean): readonly Checkpoint[] {
  const summary = useFeed().sessions.get(session);
  const [found, setFound] = useState({ session, checkpoints: NONE });
  const readAt = useRef(0);
  // Nothing goes back while a turn runs.
  const head = hasEdits && summary && summary.status !== "running" ? summary.head : undefined;
  useEffect(() => {
    if (head === undefined) return;
    const controller = new AbortController();
    const read = () => {
      readAt.current = Date.now();
      daemon()
        .call("GET /v1/sessions/{id}/checkpoints", { params: { id: session } }, controller.signal)
        .then(({ checkpoints }) => {
          const isAny = checkpoints.some(({ restored }) => restored && restored.files > 0);
          setFound({ session, checkpoints: isAny ? checkpoints : NONE });
        })
        .catch(() => {});
    };
    const timer = setTimeout(read, Math.max(0, readAt.current + PAUSE_MS - Date.now()));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [session, head]);
  return found.session === session ? found.checkpoints : NONE;
}

/** For `UndoneContext`: of the files that a turn edited, those of which nothing stands any more. */
export function useUndone(
  turn: string | undefined,
  paths: readonly string[],
): ReadonlyMap<string, Checkpoint> {
  const checkpoints = useContext(RestoresContext);
  const { cwd } = useConversation();
  return useMemo(() => {
    const undone = new Map<string, Checkpoint>();
    if (turn === undefined || checkpoints.length === 0) return undone;
    for (const path of new Set(paths)) {
      const restore = undoneBy(checkpoints, turn, withoutDirectory(path, cwd));
      if (restore) undone.set(path, restore);
    }
    return undone;
  }, [checkpoints, turn, paths, cwd]);
}
