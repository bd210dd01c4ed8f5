/** How pages are looked at: light and dark, wide, on a tablet and on a phone; and what a program can see of it. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Where pictures go, for people to look at. */
export const FOLDER = process.env.INTERLINGUA_SCREENSHOTS ?? join(tmpdir(), "interlingua-screenshots");

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const TABLET = { viewport: { width: 820, height: 1180 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** One of each size, in both colours: enough for what a program can see. */
const CHECKED = [
  { name: "desktop-light", isPhone: false, options: { ...DESKTOP, colorScheme: "light" } },
  { name: "tablet-dark", isPhone: false, options: { ...TABLET, colorScheme: "dark" } },
  { name: "phone-light", isPhone: true, options: { ...PHONE, colorScheme: "light" } },
] as const;

/** For people, who asked for pictures. */
const ALL = [
  ...CHECKED,
  { name: "desktop-dark", isPhone: false, options: { ...DESKTOP, colorScheme: "dark" } },
  { name: "tablet-light", isPhone: false, options: { ...TABLET, colorScheme: "light" } },
  { name: "phone-dark", isPhone: true, options: { ...PHONE, colorScheme: "dark" } },
] as const;

export const LOOKS = process.env.INTERLINGUA_SCREENSHOTS ? ALL : CHECKED;

/** What sticks out of the page, what has no name, and what no finger hits. */
export function flaws(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    /** Less than 40 pixels; links within a text and what its label can be pressed for are spared. */
    const isTooSmall = (element: HTMLElement): boolean => {
      const target = element.closest("label") ?? element;
      if (getComputedStyle(target).display === "inline") return false;
      const { width, height } = target.getBoundingClientRect();
      return width > 1 && Math.min(width, height) < 39.5;
    };
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
    for (const element of document.querySelectorAll<HTMLElement>(
      "button, a[href], input, textarea, select",
    )) {
      if (!element.checkVisibility() || element.closest("[aria-hidden=true]")) continue;
      const label = (element as HTMLInputElement).labels?.[0]?.textContent;
      if (!(element.ariaLabel || element.textContent?.trim() || label))
        found.push(`no name: ${element.outerHTML}`);
      const { left, right } = element.getBoundingClientRect();
      if (matchMedia("(pointer: coarse)").matches && isTooSmall(element)) {
        const { width, height } = element.getBoundingClientRect();
        const name = element.ariaLabel ?? element.textContent?.slice(0, 40);
        found.push(`too small for a finger: ${element.tagName} ${name} (${width} × ${height})`);
      }
      const scroller = element.closest("pre, .overflow-x-auto");
      if (!scroller && (left < -1 || right > innerWidth + 1)) found.push(`sticks out: ${element.outerHTML}`);
    }
    return found;
  });
}

/** Waits until nothing moves any more, apart from what moves for long or for ever. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // A ring that shows how long something can be undone moves as long as that.
        .filter((animation) => Number(animation.effect?.getComputedTiming().activeDuration) < 3000)
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
}
