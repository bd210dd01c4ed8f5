/** Turns notifications of the browser on and off. The browser asks the person only when this is pressed. */
import { Bell, BellOff, BellRing } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { readNotificationState, turnOffNotifications, turnOnNotifications } from "./notification-setting.ts";

export function NotificationSwitch() {
  const [state, setState] = useState(readNotificationState);
  useEffect(() => {
    // It may have been changed in the browser's own settings.
    const look = () => setState(readNotificationState());
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  if (state === "unavailable") return null;
  if (state === "blocked") {
    return (
      <p className="flex items-center gap-2 text-muted-foreground text-xs">
        <BellOff aria-hidden="true" className="size-3.5 shrink-0" />
        Notifications are blocked in the settings of this browser.
      </p>
    );
  }
  if (state === "on") {
    return (
      <div className="flex items-center gap-2 text-muted-foreground text-xs">
        <BellRing aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="min-w-0 flex-1">You are notified while this page is in the background.</span>
        <Button look="ghost" size="small" onClick={() => setState(turnOffNotifications())}>
          Turn off
        </Button>
      </div>
    );
  }
  return (
    <Button
      className="w-full"
      onClick={() => turnOnNotifications().then(setState, () => setState(readNotificationState()))}
    >
      <Bell /> Notify me when something waits or is done
    </Button>
  );
}
