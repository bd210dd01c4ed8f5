/** How many asks wait, where a tab in the background shows it: its title, its icon, and that of the installed page. */
import { useEffect } from "react";

const ICON = "/favicon.svg";
/** The page's icon with a dot in the colour of what waits. */
const WAITING_ICON = "/favicon-waiting.svg";

export function useBadges(waiting: number): void {
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Interlingua` : "Interlingua";
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon) icon.href = waiting > 0 ? WAITING_ICON : ICON;
    // Only where the page is installed; elsewhere it does nothing or is absent.
    const badge: Partial<Pick<Navigator, "setAppBadge" | "clearAppBadge">> = navigator;
    (waiting > 0 ? badge.setAppBadge?.call(navigator, waiting) : badge.clearAppBadge?.call(navigator))?.catch(
      () => {},
    );
  }, [waiting]);
}
