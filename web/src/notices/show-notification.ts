/** Shows a notification of the browser. Pressing it leads to the session. */
import { linkTo, openSession } from "../route.ts";

export interface PageNotification {
  title: string;
  body: string;
  /** A later one with the same tag takes its place. */
  tag: string;
  /** Undefined: it is about several. */
  session?: string;
}

const ICON = "/icons/icon-192.png";

export function showNotification({ title, body, tag, session }: PageNotification): void {
  const options = { body, tag, icon: ICON };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      if (session !== undefined) openSession(session);
      shown.close();
    };
  } catch {
    // On phones only a service worker may show one.
    const link = session === undefined ? "#/" : linkTo({ view: "session", session });
    navigator.serviceWorker
      ?.getRegistration()
      .then((worker) => worker?.showNotification(title, { ...options, data: { link } }))
      .catch(() => {});
  }
}
