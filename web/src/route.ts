/**
 * What the page shows, kept in the URL fragment: a reload, a bookmark, a link in another tab and the back button lead to
 * the same. Tokens and invitations are taken out of the fragment before it is read here.
 */
import { useSyncExternalStore } from "react";

/** What stands beside a conversation. */
export const SIDE_PANELS = ["files", "tasks", "xray"] as const;
export type SidePanel = (typeof SIDE_PANELS)[number];

export type Route =
  | { view: "start" }
  | { view: "usage" }
  | {
      view: "session";
      session: string;
      panel?: SidePanel;
      /** The entry of the log that the X-ray shows. */
      seq?: number;
      /** The message to show. */
      message?: string;
    };

const SESSION = /^\/sessions\/([A-Za-z0-9._-]{1,128})(?:\/(.*))?$/;
const MESSAGE = /^messages\/([A-Za-z0-9._:-]{1,128})$/;
const XRAY = /^xray\/([1-9][0-9]{0,14})$/;

/**
 * What an address asks for. One that says nothing is the start; what is unknown of a session's is left out.
 *
 * @example parseRoute("#/sessions/demo/files") // { view: "session", session: "demo", panel: "files" }
 */
export function parseRoute(fragment: string): Route {
  const path = fragment.replace(/^#/, "");
  if (path === "/usage") return { view: "usage" };
  const [, session, rest = ""] = SESSION.exec(path) ?? [];
  if (session === undefined) return { view: "start" };
  const message = MESSAGE.exec(rest)?.[1];
  if (message !== undefined) return { view: "session", session, message };
  const seq = XRAY.exec(rest)?.[1];
  if (seq !== undefined) return { view: "session", session, panel: "xray", seq: Number(seq) };
  const panel = SIDE_PANELS.find((name) => name === rest);
  return panel ? { view: "session", session, panel } : { view: "session", session };
}

/** The address of a route, to be used as a link. */
export function linkTo(route: Route): string {
  if (route.view === "start") return "#/";
  if (route.view === "usage") return "#/usage";
  const { session, panel, seq, message } = route;
  const base = `#/sessions/${session}`;
  if (message !== undefined) return `${base}/messages/${message}`;
  if (panel === undefined) return base;
  return seq === undefined ? `${base}/${panel}` : `${base}/${panel}/${seq}`;
}

/** Of an entry in the history of the browser that stands for something open over the page. */
export const OVERLAY_ENTRY = { isOverlay: true } as const;
const LEAVING_ENTRY = { isLeaving: true } as const;

export function isOverlayEntry(): boolean {
  return (history.state as Partial<typeof OVERLAY_ENTRY> | null)?.isOverlay === true;
}

/** What was open over the page is closed: its entry goes, which takes a moment. */
export function leaveOverlayEntry(): void {
  history.replaceState(LEAVING_ENTRY, "");
  history.back();
}

/** Calls back at once, or when an entry that is being left is gone: until then it is not clear where the page is. */
export function whenEntryStands(callback: () => void): void {
  if ((history.state as Partial<typeof LEAVING_ENTRY> | null)?.isLeaving)
    addEventListener("popstate", callback, { once: true });
  else callback();
}

export function go(route: Route): void {
  whenEntryStands(() => {
    // What is open over the page goes with it.
    if (isOverlayEntry()) replace(route);
    else location.hash = linkTo(route);
  });
}

/** Without an entry in the history of the browser, for what is passed through quickly. */
export function replace(route: Route): void {
  location.replace(linkTo(route));
}

export function openSession(id: string | undefined): void {
  go(id === undefined ? { view: "start" } : { view: "session", session: id });
}

export function useRoute(): Route {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  return parseRoute(fragment);
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
