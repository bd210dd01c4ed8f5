/**
 * Which sessions ended badly and were not opened since in this browser: a restart cut them off, or their last turn failed.
 * Other tabs of it hear of it.
 */
import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";

const KEY = "interlingua.seen-cut-offs";
/** Those that were opened last are kept. */
const MAX_SEEN = 200;
/** What ended longer ago is no news, in a new browser neither. */
const NEWS_MS = 3 * 24 * 60 * 60 * 1000;

export type BadEnding = "cut off" | "failed";

type Ended = Pick<SessionSummary, "session" | "status" | "cutOffAt" | "updatedAt">;

export type UnseenEnding = (session: Ended) => BadEnding | undefined;

/** How a session ended, where that was bad and nobody opened it here since. */
export function useUnseenEnding(): UnseenEnding {
  const seen = useSyncExternalStore(subscribe, read);
  return useCallback((session) => unseenEnding(seen, session), [seen]);
}

/** The session that is open is seen. */
export function useSeenEnding(open: Ended | undefined): void {
  const entry = open && endingOf(open) && entryOf(open);
  useEffect(() => {
    if (entry === undefined) return;
    const added = addSeen(read(), entry);
    if (added === read()) return;
    localStorage.setItem(KEY, added);
    // The browser tells other tabs only.
    dispatchEvent(new StorageEvent("storage", { key: KEY }));
  }, [entry]);
}

export function unseenEnding(seen: string, session: Ended, now = Date.now()): BadEnding | undefined {
  const ending = endingOf(session);
  const isNews = now - (session.cutOffAt ?? session.updatedAt) < NEWS_MS;
  return ending && isNews && !seen.includes(entryOf(session)) ? ending : undefined;
}

/** The list with this entry at its end. Unchanged where it has it. */
export function addSeen(seen: string, added: string): string {
  if (seen.includes(added)) return seen;
  return [...seen.split("\n").slice(0, -1), added.trimEnd()].slice(-MAX_SEEN).join("\n").concat("\n");
}

function endingOf({ status, cutOffAt }: Ended): BadEnding | undefined {
  if (status !== "idle" && status !== "failed") return undefined;
  if (cutOffAt !== undefined) return "cut off";
  return status === "failed" ? "failed" : undefined;
}

function entryOf({ session, cutOffAt, updatedAt }: Ended): string {
  return `${cutOffAt ?? updatedAt} ${session}\n`;
}

function read(): string {
  return localStorage.getItem(KEY) ?? "";
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
