/** Which sessions that a restart cut off were opened since in this browser. Other tabs of it hear of it. */
import { useEffect, useSyncExternalStore } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";

const KEY = "interlingua.seen-cut-offs";
/** Those that were opened last are kept. */
const MAX_SEEN = 200;

type CutOff = Pick<SessionSummary, "session" | "cutOffAt">;

/** Whether a restart cut it off and nobody opened it here since. */
export function useIsCutOff({ session, cutOffAt }: CutOff): boolean {
  const seen = useSyncExternalStore(subscribe, read);
  return cutOffAt !== undefined && !seen.includes(entry(session, cutOffAt));
}

/** The session that is open is seen. */
export function useSeenCutOff(open: CutOff | undefined): void {
  const { session, cutOffAt } = open ?? {};
  useEffect(() => {
    if (session === undefined || cutOffAt === undefined) return;
    const added = addSeen(read(), entry(session, cutOffAt));
    if (added === read()) return;
    localStorage.setItem(KEY, added);
    // The browser tells other tabs only.
    dispatchEvent(new StorageEvent("storage", { key: KEY }));
  }, [session, cutOffAt]);
}

/** The list with this entry at its end. Unchanged where it has it. */
export function addSeen(seen: string, added: string): string {
  if (seen.includes(added)) return seen;
  return [...seen.split("\n").slice(0, -1), added.trimEnd()].slice(-MAX_SEEN).join("\n").concat("\n");
}

function entry(session: string, cutOffAt: number): string {
  return `${cutOffAt} ${session}\n`;
}

function read(): string {
  return localStorage.getItem(KEY) ?? "";
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
