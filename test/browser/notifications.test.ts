/** Notifications of the browser and what a tab in the background shows. The browser's own are replaced: none has a screen here. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, openTab, PATIENT, type Watched } from "./watched-page.ts";

interface Shown {
  title: string;
  body: string;
  tag: string;
}

/** In the page: what was shown, what the person was asked, and whether the tab is hidden. */
interface Probe {
  shown: Shown[];
  pressed: (() => void)[];
  asked: number;
  hide: (isHidden: boolean) => void;
}

function replaceNotifications(answer: NotificationPermission): void {
  const probe: Probe = { shown: [], pressed: [], asked: 0, hide: () => {} };
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  probe.hide = (hidden) => {
    isHidden = hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  };
  class Replaced {
    static permission: NotificationPermission = "default";
    static async requestPermission() {
      probe.asked += 1;
      Replaced.permission = answer;
      return answer;
    }
    onclick: (() => void) | undefined;
    constructor(title: string, { body, tag }: { body: string; tag: string }) {
      probe.shown.push({ title, body, tag });
      probe.pressed.push(() => this.onclick?.());
    }
    close() {}
  }
  Object.assign(window, { Notification: Replaced, probe });
}

const probed = <Result>(page: Page, read: (probe: Probe) => Result) =>
  page.evaluate(`(${read})(window.probe)`) as Promise<Result>;
const shown = (page: Page) => probed(page, ({ shown: all }) => all);
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href");

describePage("notifications", {}, ({ daemon, visit }) => {
  /** A tab in which notifications are replaced from the start. */
  async function openProbed(answer: NotificationPermission, beside?: Watched): Promise<Watched> {
    const { page } = beside ?? (await visit());
    if (!beside) await page.context().addInitScript(replaceNotifications, answer);
    const watched = await openTab(page.context(), daemon.link);
    if (!beside) await page.close();
    await watched.page.waitForSelector("[data-connection=live]", { state: "attached" });
    return watched;
  }

  test("nobody is asked before they press, then a hidden tab tells what waits, what ended and what failed", async () => {
    const watched = await openProbed("granted");
    const { page } = watched;
    await daemon.createSession("told", { title: "Tidy up" });
    await page.getByRole("button", { name: "No open asks" }).first().click();
    expect(await probed(page, ({ asked }) => asked)).toBe(0);
    await page.getByRole("button", { name: "Notify me when something waits or is done" }).click();
    await page.getByText("You are notified while this page is in the background.").waitFor();
    expect(await probed(page, ({ asked }) => asked)).toBe(1);
    await page.keyboard.press("Escape");

    // Nobody needs to be told what they see.
    await daemon.prompt("told", "scenario:text");
    await page.locator("[data-session=told]").first().waitFor();
    await daemon.until("told", "idle");
    expect(await shown(page)).toEqual([]);

    await probed(page, ({ hide }) => hide(true));
    await daemon.prompt("told", "scenario:approve");
    await expect
      .poll(() => shown(page), PATIENT)
      .toEqual([
        {
          title: "Tidy up",
          body: expect.stringContaining("asks for permission: Run npm test"),
          tag: expect.any(String),
        },
      ]);
    expect(await page.title()).toBe("(1) Interlingua");
    expect(await icon(page)).toBe("/favicon-waiting.svg");
    expect((await page.request.get(`${daemon.origin}/favicon-waiting.svg`)).status()).toBe(200);
    const { asks } = await daemon.call<{ asks: { ask: string }[] }>("GET", "/v1/asks?session=told");
    await daemon.call("POST", `/v1/sessions/told/asks/${asks[0]!.ask}/reply`, { reply: "once" });
    await expect.poll(async () => (await shown(page)).at(-1)?.body, PATIENT).toMatch(/ is done$/);
    expect(await page.title()).toBe("Interlingua");
    expect(await icon(page)).toBe("/favicon.svg");
    await daemon.prompt("told", "scenario:error");
    await expect.poll(async () => (await shown(page)).at(-1)?.body, PATIENT).toMatch(/ could not finish$/);

    await probed(page, ({ pressed }) => pressed.at(-1)?.());
    await expect.poll(() => new URL(page.url()).hash, PATIENT).toBe("#/sessions/told");
    expectNoWrongs(watched);
  });

  test("while another tab is looked at, the hidden one is quiet", async () => {
    const hidden = await openProbed("granted");
    await hidden.page.evaluate(
      "Notification.permission = 'granted'; localStorage.setItem('interlingua.notifications', 'on')",
    );
    const seen = await openProbed("granted", hidden);
    await probed(hidden.page, ({ hide }) => hide(true));
    await daemon.createSession("seen", { title: "Seen" });
    await daemon.prompt("seen", "scenario:approve");
    await expect.poll(() => hidden.page.title(), PATIENT).toBe("(1) Interlingua");
    await expect.poll(() => seen.page.title(), PATIENT).toBe("(1) Interlingua");
    await seen.page.close();
    const { asks } = await daemon.call<{ asks: { ask: string }[] }>("GET", "/v1/asks?session=seen");
    await daemon.call("POST", `/v1/sessions/seen/asks/${asks[0]!.ask}/reply`, { reply: "once" });
    // Its end is told, and nothing of what was seen.
    await expect
      .poll(async () => (await shown(hidden.page)).map(({ title }) => title), PATIENT)
      .toEqual(["Seen"]);
    expect((await shown(hidden.page))[0]!.body).toMatch(/ is done$/);
    expectNoWrongs(hidden, seen);
  });

  test("when the hidden tab that has the feed is closed, another hidden one goes on to tell", async () => {
    const first = await openProbed("granted");
    await first.page.evaluate("localStorage.setItem('interlingua.notifications', 'on')");
    const second = await openProbed("granted", first);
    await second.page.evaluate("Notification.permission = 'granted'");
    const connection = (state: string) =>
      second.page.waitForSelector(`[data-connection=${state}]`, { state: "attached" });
    const hasFeed = () =>
      first.page.evaluate(async () =>
        (await navigator.locks.query()).held!.some(({ name }) => name === "interlingua.hidden-feed"),
      );
    async function hideForLong({ page }: Watched): Promise<void> {
      await page.clock.install();
      await probed(page, ({ hide }) => hide(true));
      await page.clock.fastForward(60_000);
    }
    await hideForLong(first);
    await expect.poll(hasFeed, PATIENT).toBe(true);
    await hideForLong(second);
    await connection("paused");
    await first.page.close();
    await connection("live");
    await daemon.createSession("handed-on", { title: "Handed on" });
    await daemon.prompt("handed-on", "scenario:text");
    await expect
      .poll(async () => (await shown(second.page)).map(({ title }) => title), PATIENT)
      .toEqual(["Handed on"]);
    expectNoWrongs(second);
  });

  test("whoever says no to the browser is told where that can be changed", async () => {
    const watched = await openProbed("denied");
    const { page } = watched;
    await page.getByRole("button", { name: "No open asks" }).first().click();
    await page.getByRole("button", { name: "Notify me when something waits or is done" }).click();
    await page.getByText("Notifications are blocked in the settings of this browser.").waitFor();
    expectNoWrongs(watched);
  });
});
