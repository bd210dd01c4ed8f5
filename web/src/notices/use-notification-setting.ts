/** Whether this browser shows notifications: its own permission, and what was chosen here. */
import { useCallback, useEffect, useState } from "react";
import { keep, readKept } from "../browser-storage.ts";

const KEY = "interlingua.notifications";

/** `unavailable`: the page is not loaded from localhost or over TLS, or the browser has none. */
type NotificationState = "unavailable" | "off" | "on" | "blocked";

export function readNotificationState(): NotificationState {
  if (typeof Notification === "undefined" || !isSecureContext) return "unavailable";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && readKept(KEY) === "on" ? "on" : "off";
}

/** The browser asks the person when they are turned on: call it when something was pressed. */
export function useNotificationSetting(): readonly [NotificationState, (isOn: boolean) => void] {
  const [state, setState] = useState(readNotificationState);
  const look = useCallback(() => setState(readNotificationState()), []);
  useEffect(() => {
    // It may have been changed in the browser's own settings.
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [look]);
  function turn(isOn: boolean) {
    keep(KEY, isOn ? "on" : undefined);
    if (!isOn || Notification.permission !== "default") return look();
    Notification.requestPermission().then(look, look);
  }
  return [state, turn];
}
