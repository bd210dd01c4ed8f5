/** Turns notifications of the browser on and off. The browser asks the person only when this is pressed. */
import { Bell, BellOff, BellRing } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { useNotificationSetting } from "./use-notification-setting.ts";

export function NotificationSwitch() {
  const [state, turn] = useNotificationSetting();
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
        <Button look="ghost" size="small" onClick={() => turn(false)}>
          Turn off
        </Button>
      </div>
    );
  }
  return (
    <Button className="w-full" onClick={() => turn(true)}>
      <Bell /> Notify me when something waits or is done
    </Button>
  );
}
