/** What a person does with sessions as a whole, from any place of the page: errors and ways back are told in toasts. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { authorizedFetch, daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { UpdateSession } from "../api/types.ts";
import { FeedWithout, useFeed } from "../feed/use-feed.tsx";
import { linkTo, openSession, parseRoute } from "../route.ts";
import { excerpt } from "../ui/format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { type Toasts, useToasts } from "../ui/toasts.tsx";
import { changeSessions } from "./change-sessions.ts";
import { PendingDeletions, UNDO_MS } from "./pending-deletions.ts";
import { useFirstPrompts } from "./use-session-title.ts";

const CloseDialog = lazyPart(() => import("./close-dialog.tsx"));

export interface SessionActions {
  rename(session: string, title: string): Promise<void>;
  pin(sessions: readonly string[], isPinned: boolean): Promise<void>;
  archive(sessions: readonly string[], isArchived: boolean): Promise<void>;
  /** Asks first: it ends the agents for good. */
  close(sessions: readonly string[]): void;
  /** Opens the copy. */
  fork(session: string, options?: { worktree?: boolean }): Promise<void>;
  /** They go from the page at once, and for good when it can no longer be undone. */
  remove(sessions: readonly string[]): void;
  copyLink(session: string): void;
}

/** A toast has one line. */
const MAX_TITLE = 40;

const ActionsContext = createContext<SessionActions | undefined>(undefined);

/** Inside of it the feed is without what was deleted here. */
export function SessionActionsProvider({ children }: { children: ReactNode }) {
  const toasts = useToasts();
  const [deletions] = useState(
    () =>
      new PendingDeletions({
        send: (sessions, isLeaving) => (isLeaving ? sendLeaving(sessions) : sendDeletions(sessions, toasts)),
      }),
  );
  useEffect(() => {
    const flush = () => deletions.flush();
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      flush();
    };
  }, [deletions]);
  const [closing, setClosing] = useState<readonly string[]>([]);
  const stay = () => setClosing([]);
  const { sessions } = useFeed();
  const latest = useRef(sessions);
  const prompts = useFirstPrompts();
  latest.current = sessions;
  const actions = useMemo(
    () => ({
      ...createActions(
        toasts,
        deletions,
        (session) => latest.current.get(session)?.title?.trim() || prompts.get(session),
      ),
      close: setClosing,
    }),
    [toasts, deletions, prompts],
  );
  const deleted = useSyncExternalStore(deletions.subscribe, deletions.getSessions);
  return (
    <ActionsContext value={actions}>
      <FeedWithout sessions={deleted}>{children}</FeedWithout>
      {closing.length > 0 && (
        <CloseDialog
          sessions={closing}
          onCancel={stay}
          onConfirm={() => {
            void changeAll(toasts, closing, { status: "closed" }, "could not be closed");
            stay();
          }}
        />
      )}
    </ActionsContext>
  );
}

export function useSessionActions(): SessionActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("useSessionActions is used outside of SessionActionsProvider");
  return actions;
}

/** Tells what failed. Resolves with those that did not. */
async function changeAll(
  toasts: Toasts,
  sessions: readonly string[],
  body: UpdateSession,
  failure: string,
): Promise<string[]> {
  const { done, failed } = await changeSessions(sessions, (id) =>
    daemon().call("PATCH /v1/sessions/{id}", { params: { id }, body }),
  );
  tellFailures(toasts, failed, sessions.length, failure);
  return done;
}

function createActions(
  toasts: Toasts,
  deletions: PendingDeletions,
  titleOf: (session: string) => string | undefined,
): Omit<SessionActions, "close"> {
  /** What they are called in a sentence. */
  function naming(sessions: readonly string[]): string {
    if (sessions.length > 1) return `${sessions.length.toLocaleString()} sessions`;
    const title = titleOf(sessions[0] ?? "");
    return title ? `“${excerpt(title, MAX_TITLE)}”` : "Session";
  }

  async function archive(sessions: readonly string[], isArchived: boolean, canUndo = true): Promise<void> {
    const done = await changeAll(
      toasts,
      sessions,
      { archived: isArchived },
      isArchived ? "could not be archived" : "could not be brought back",
    );
    if (done.length === 0 || !canUndo) return;
    toasts.show({
      text: `${naming(done)} ${isArchived ? "archived" : "back in the list"}`,
      action: { label: "Undo", onPress: () => void archive(done, !isArchived, false) },
    });
  }

  return {
    async rename(session, title) {
      await changeAll(toasts, [session], { title }, "could not be renamed");
    },
    async pin(sessions, isPinned) {
      await changeAll(
        toasts,
        sessions,
        { pinned: isPinned },
        isPinned ? "could not be pinned" : "could not be unpinned",
      );
    },
    archive: (sessions, isArchived) => archive(sessions, isArchived),
    async fork(session, { worktree } = {}) {
      try {
        const params = { id: session };
        const body = worktree ? { worktree } : {};
        const { id } = await daemon().call("POST /v1/sessions/{id}/fork", { params, body });
        openSession(id);
      } catch (error) {
        toasts.show({ tone: "danger", text: `The session could not be forked: ${messageOf(error)}` });
      }
    },
    remove(sessions) {
      const route = parseRoute(location.hash);
      const open = route.view === "session" && sessions.includes(route.session) ? route.session : undefined;
      if (open !== undefined) openSession(undefined);
      const undo = deletions.add(sessions);
      const dismiss = toasts.show({
        text: `${naming(sessions)} deleted`,
        durationMs: Number.POSITIVE_INFINITY,
        countdownMs: UNDO_MS,
        action: {
          label: "Undo",
          onPress: () => {
            if (undo() && open !== undefined) openSession(open);
          },
        },
      });
      setTimeout(dismiss, UNDO_MS);
    },
    copyLink(session) {
      const link = `${location.origin}/${linkTo({ view: "session", session })}`;
      const copying = navigator.clipboard?.writeText(link) ?? Promise.reject(new Error(link));
      copying.then(
        () => toasts.show({ text: "Link copied" }),
        // Without a clipboard, as over plain HTTP from another machine, it can be copied by hand.
        () => toasts.show({ text: link, durationMs: 30_000 }),
      );
    },
  };
}

async function sendDeletions(sessions: readonly string[], toasts: Toasts): Promise<void> {
  const { failed } = await changeSessions(sessions, (id) =>
    daemon().call("DELETE /v1/sessions/{id}", { params: { id } }),
  );
  tellFailures(toasts, failed, sessions.length, "could not be deleted");
}

/** Requests that outlive the page. */
async function sendLeaving(sessions: readonly string[]): Promise<void> {
  const init = { method: "DELETE", keepalive: true };
  await Promise.allSettled(sessions.map((id) => authorizedFetch(`/v1/sessions/${id}`, init)));
}

function tellFailures(
  toasts: Toasts,
  failed: readonly { error: unknown }[],
  total: number,
  failure: string,
): void {
  if (failed.length === 0) return;
  const subject = total === 1 ? "The session" : `${failed.length} of ${total} sessions`;
  toasts.show({
    tone: "danger",
    durationMs: 10_000,
    text: `${subject} ${failure}: ${messageOf(failed[0]?.error)}`,
  });
}
