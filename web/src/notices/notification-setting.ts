/** Whether this browser shows notifications: its own permission, and what was chosen here. */

const KEY = "interlingua.notifications";

/** `unavailable`: the page is not loaded from localhost or over TLS, or the browser has none. */
export type NotificationState = "unavailable" | "off" | "on" | "blocked";

export function readNotificationState(): NotificationState {
  if (typeof Notification === "undefined" || !isSecureContext) return "unavailable";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && isChosen() ? "on" : "off";
}

/** Asks the browser, which asks the person: call it when they pressed something. */
export async function turnOnNotifications(): Promise<NotificationState> {
  keep("on");
  if (Notification.permission === "default") await Notification.requestPermission();
  return readNotificationState();
}

export function turnOffNotifications(): NotificationState {
  keep("off");
  return readNotificationState();
}

function isChosen(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

function keep(choice: "on" | "off"): void {
  try {
    if (choice === "on") localStorage.setItem(KEY, choice);
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing.
  }
}
