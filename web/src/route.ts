/** The open session, kept in the URL fragment so that a reload and a bookmark lead back to it. */
import { useSyncExternalStore } from "react";

export function sessionInFragment(fragment: string): string | undefined {
  const id = /^#\/sessions\/([A-Za-z0-9._-]{1,128})$/.exec(fragment)?.[1];
  return id;
}

export function openSession(id: string | undefined): void {
  location.hash = id === undefined ? "" : `/sessions/${id}`;
}

export function useOpenSession(): string | undefined {
  return useSyncExternalStore(subscribe, () => sessionInFragment(location.hash));
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
