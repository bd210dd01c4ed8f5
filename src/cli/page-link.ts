/** The link to the page. The token is in the fragment, which no browser sends. */
import type { DaemonAddress } from "./find-daemon.ts";

/** @param session The one the page shows first. */
export function pageLink({ url, token }: DaemonAddress, session?: string): string {
  const place = session === undefined ? "" : `&session=${encodeURIComponent(session)}`;
  return `${url}/#token=${encodeURIComponent(token)}${place}`;
}
