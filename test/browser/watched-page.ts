/** A page of the browser under watch: whatever it must never do is written down. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";

/** Conditions are waited for; how long does not matter but that it ends. */
export const PATIENT = { timeout: 30_000 };

export interface Watched {
  page: Page;
  /** What it must never do: run into errors, break the policy, ask other origins, open dialogs. */
  wrongs: string[];
}

/** A tab of this context; `link` is opened with its token. */
export async function openTab(context: BrowserContext, link: string): Promise<Watched> {
  const page = await context.newPage();
  const { origin } = new URL(link);
  const wrongs: string[] = [];
  page.on("pageerror", (error) => wrongs.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) wrongs.push(`request: ${url}`);
  });
  page.on("console", (message) => {
    if (/Content.Security.Policy|Refused to/i.test(message.text())) wrongs.push(`policy: ${message.text()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      console.error(
        `Content Security Policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      ),
    );
  });
  await page.goto(link);
  return { page, wrongs };
}

/** Without its service worker, unless `options` allow it: requests that pass through one cannot be held or changed. */
export async function openPage(browser: Browser, link: string, options = {}): Promise<Watched> {
  const usual = { viewport: { width: 1280, height: 800 }, serviceWorkers: "block" } as const;
  const context = await browser.newContext({ ...usual, ...options });
  return openTab(context, link);
}

export async function showSession(page: Page, session: string): Promise<void> {
  await page.waitForSelector("[data-connection=live]", { state: "attached" });
  await page.evaluate((id) => {
    location.hash = `/sessions/${id}`;
  }, session);
  await page.waitForSelector("#composer");
}

export async function send(page: Page, text: string): Promise<void> {
  await page.fill("#composer", text);
  await page.press("#composer", "Enter");
}

/** Leaves what has the focus, or gets it back: a dialog returns it in a task after the one it went in. */
export async function leaveField(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/** Waits until the open session has this state. */
export async function untilStatus(page: Page, status: string): Promise<void> {
  await page.waitForSelector(`[data-session-status=${status}]`, { state: "attached" });
}

/** Waits until some message holds the text. */
export async function untilSaid(page: Page, text: string): Promise<void> {
  await page.locator("[data-message]", { hasText: text }).first().waitFor();
}

export function expectNoWrongs(...watched: Watched[]): void {
  expect(watched.flatMap(({ wrongs }) => wrongs)).toEqual([]);
}
