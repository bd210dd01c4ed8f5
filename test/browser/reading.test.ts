/** Long conversations: what is in the page of them, how one gets about in them, and links into them. */
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, showSession, untilSaid } from "./watched-page.ts";

const TURNS = 150;

describePage("reading", {}, ({ daemon, visit }) => {
  const prompts: string[] = [];

  beforeAll(async () => {
    await daemon.createSession("long");
    for (let turn = 0; turn < TURNS; turn += 1) {
      const { message } = await daemon.prompt("long", `scenario:echo answer ${turn}.`);
      prompts.push(message);
      await daemon.until("long", "idle");
    }
  }, 240_000);

  function messages(page: Page): Promise<(string | null)[]> {
    return page
      .locator("[data-message]")
      .evaluateAll((all) => all.map((message) => message.getAttribute("data-message")));
  }

  /** How far the end is from being in sight. */
  function distanceFromEnd(page: Page): Promise<number> {
    return page.locator("[role=log]").evaluate((log) => {
      const scroller = log.closest(".overflow-y-auto")!;
      return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    });
  }

  function top(page: Page, message: string): Promise<number> {
    return page.locator(`[data-message="${message}"]`).evaluate((one) => one.getBoundingClientRect().top);
  }

  /** Where a message is once rows that came into sight are measured, which moves others for a moment. */
  async function restingTop(page: Page, message: string): Promise<number> {
    let now = Number.NaN;
    await expect
      .poll(async () => {
        const last = now;
        now = await top(page, message);
        return now === last;
      }, PATIENT)
      .toBe(true);
    return now;
  }

  test("a long conversation opens at its end, with few messages in the page, and all of them can be reached", async () => {
    const watched = await visit();
    const { page } = watched;
    await showSession(page, "long");
    await untilSaid(page, `answer ${TURNS - 1}.`);
    await expect.poll(() => distanceFromEnd(page), PATIENT).toBeLessThan(2);
    expect((await messages(page)).length).toBeLessThan(40);
    const log = page.locator("[role=log]");
    const seen = new Set(await messages(page));
    await log.hover();
    while (!seen.has(prompts[0]!)) {
      await page.mouse.wheel(0, -400);
      // What is there before the next turn of the wheel.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await page.getByText("Loading earlier messages").waitFor({ state: "detached" });
      for (const message of await messages(page)) seen.add(message);
      expect((await messages(page)).length).toBeLessThan(60);
    }
    for (const prompt of prompts) expect(seen).toContain(prompt);
    await page.getByRole("button", { name: "To the newest" }).click();
    await expect.poll(() => distanceFromEnd(page), PATIENT).toBeLessThan(2);
    await untilSaid(page, `answer ${TURNS - 1}.`);
    expectNoWrongs(watched);
  });

  test("loading earlier messages moves nothing that is read", async () => {
    const watched = await visit();
    const { page } = watched;
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/api/chat/long/messages?*before=*", async (route) => {
      await held;
      await route.continue();
    });
    await showSession(page, "long");
    await untilSaid(page, `answer ${TURNS - 1}.`);
    await expect.poll(() => distanceFromEnd(page), PATIENT).toBeLessThan(2);
    await page.locator("[role=log]").evaluate((log) => {
      log.closest(".overflow-y-auto")!.scrollTop = 0;
    });
    await page.getByText("Loading earlier messages").waitFor();
    // Until the list has followed the jump, its first message is far below what is in sight.
    await expect.poll(() => page.locator("[data-message]").first().evaluate(isInSight), PATIENT).toBe(true);
    const [first] = await messages(page);
    const before = await restingTop(page, first!);
    release();
    await page.getByText("Loading earlier messages").waitFor({ state: "detached" });
    await expect.poll(async () => (await messages(page)).indexOf(first!), PATIENT).toBeGreaterThan(0);
    expect(Math.abs((await restingTop(page, first!)) - before)).toBeLessThan(4);
    expectNoWrongs(watched);
  });

  test("a link to a message shows it, however far back it is, and what comes later leaves it in sight", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    const named = page.locator(`[data-message="${prompts[7]}"][data-named]`);
    await page.evaluate((message) => {
      location.hash = `/sessions/long/messages/${message}`;
    }, prompts[7]);
    await named.waitFor();
    await expect.poll(() => named.evaluate(isInSight), PATIENT).toBe(true);
    await daemon.prompt("long", "scenario:echo said later.");
    await daemon.until("long", "idle");
    await page.getByRole("button", { name: "To the newest" }).waitFor();
    expect(await named.evaluate(isInSight)).toBe(true);
    // The back button leads to where one was.
    await page.evaluate(() => {
      location.hash = "/sessions/long/messages/nobody-said-this";
    });
    await page.getByText("That message is not in this conversation any more.").waitFor();
    expectNoWrongs(watched);
  });

  test("the page can be opened with a link to a message", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.goto(`${daemon.origin}/#/sessions/long/messages/${prompts[40]}`);
    await page.reload();
    const named = page.locator(`[data-message="${prompts[40]}"][data-named]`);
    await named.waitFor();
    await expect.poll(() => named.evaluate(isInSight), PATIENT).toBe(true);
    expectNoWrongs(watched);
  });
});

function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + Math.min(20, height / 2));
  return at !== null && (element.contains(at) || at.contains(element)) && top > 0 && top < innerHeight;
}
