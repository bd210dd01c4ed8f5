/** Keys, the focus, what is in sight, and tabs. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, send, showSession, untilSaid, untilStatus } from "./watched-page.ts";

describePage("keys and places", {}, ({ daemon, visit, open }) => {
  const SLOW = { options: { pace: 5 } };

  /** Where the focus is, by name. */
  function focus(page: Page): Promise<string> {
    return page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.id || activeElement?.ariaLabel || activeElement?.tagName || "";
    });
  }

  test("of two asks the one that was answered is closed, also after a reload", async () => {
    const watched = await open("two-asks");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    await page.getByRole("button", { name: "Allow", exact: true }).nth(1).waitFor();
    await page.getByRole("button", { name: "Allow", exact: true }).first().click();
    const allow = page.getByRole("button", { name: "Allow", exact: true });
    await expect.poll(() => allow.count(), PATIENT).toBe(1);
    await page.reload();
    await page.waitForSelector("#composer");
    await allow.first().waitFor();
    expect(await allow.count()).toBe(1);
    await allow.click();
    await untilSaid(page, "2 of 2 commands were allowed.");
    expectNoWrongs(watched);
  });

  test("Stop stays while something is written; Escape leaves the field, then stops", async () => {
    const watched = await open("stopped", SLOW);
    const { page } = watched;
    await send(page, "scenario:hang");
    await untilSaid(page, "Let me think about");
    await page.fill("#composer", "but then");
    await page.getByRole("button", { name: "Stop the turn" }).waitFor();
    // The first one leaves what is being written, the second stops.
    await page.press("#composer", "Escape");
    expect(await focus(page)).not.toBe("composer");
    await untilStatus(page, "running");
    await page.keyboard.press("Escape");
    await page.getByText("Stopped", { exact: true }).waitFor();
    expect(await page.inputValue("#composer")).toBe("but then");
    await page.fill("#composer", "");
    await send(page, "scenario:hang");
    await untilStatus(page, "running");
    await page.locator("[data-role=assistant]").nth(1).waitFor();
    await page.locator("#composer").blur();
    await page.keyboard.press("Escape");
    await page.getByText("Stopped", { exact: true }).nth(1).waitFor();
    expectNoWrongs(watched);
  });

  test("the focus is where it was after a dialog, and an Escape too many stops no turn", async () => {
    const watched = await open("given-back", SLOW);
    const { page } = watched;
    await send(page, "scenario:hang");
    await untilSaid(page, "Let me think about");
    const openAndClose = async (name: string, opening: () => Promise<void>) => {
      await opening();
      await page.getByRole("dialog", { name }).waitFor();
      // Once too often.
      for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    for (const [name, opening] of [
      ["Find or do anything", () => page.keyboard.press("Control+k")],
      ["Earlier prompts", () => page.keyboard.press("Control+r")],
    ] as const) {
      await page.focus("#composer");
      await openAndClose(name, opening);
      await expect.poll(() => focus(page), PATIENT).toBe("composer");
    }
    const row = page.locator("aside [data-session=given-back]");
    for (const [name, key] of [
      ["Keyboard shortcuts", "?"],
      ["Waiting for you", "w"],
    ] as const) {
      await row.focus();
      await openAndClose(name, () => page.keyboard.press(key));
      await expect.poll(() => row.evaluate((link) => link === document.activeElement), PATIENT).toBe(true);
    }
    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menu").waitFor();
    for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
    await page.getByRole("menu").waitFor({ state: "detached" });
    await untilStatus(page, "running");
    expect(await page.getByText("Stopped", { exact: true }).count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("the first letters after / are searched for", async () => {
    const watched = await open("searched");
    const { page } = watched;
    /** In one task, as a fast hand's: nothing is drawn between them. */
    const type = () =>
      page.evaluate(() => {
        const press = (key: string) =>
          document.activeElement!.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
          );
        (document.activeElement as HTMLElement).blur();
        for (const key of ["/", "n", "u"]) press(key);
        return [document.activeElement!.id, location.hash];
      });
    expect(await type()).toEqual(["session-search", "#/sessions/searched"]);
    await page.getByRole("button", { name: "Hide the list" }).click();
    await page.locator("#session-search").waitFor({ state: "detached" });
    expect(await type()).toEqual(["session-search", "#/sessions/searched"]);
    expectNoWrongs(watched);
  });

  test("j and k move as often as they are pressed, and i writes", async () => {
    for (const id of ["row-1", "row-2", "row-3"]) await daemon.createSession(id);
    const watched = await open("row-4");
    const { page } = watched;
    // Only those to which nothing happens: the others may change places.
    await page.fill("#session-search", "row-");
    const listed = page.locator("aside [data-session]");
    await expect.poll(() => listed.count(), PATIENT).toBe(4);
    await page.locator("#session-search").blur();
    const rows = await listed.evaluateAll((all) => all.map((row) => row.getAttribute("data-session")));
    // A click is followed by writing.
    for (const row of [3, 0]) {
      await listed.nth(row).click();
      await page.locator(`aside [data-session="${rows[row]}"][aria-current=page]`).waitFor();
    }
    await expect.poll(() => focus(page), PATIENT).toBe("composer");
    await page.locator("#composer").blur();
    for (const [key, row] of [
      ["j", 1],
      ["j", 2],
      ["k", 1],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`aside [data-session="${rows[row]}"][aria-current=page]`).waitFor();
      await page.waitForSelector("#composer");
    }
    expect(await page.inputValue("#composer")).toBe("");
    await page.keyboard.press("i");
    expect(await focus(page)).toBe("composer");
    expectNoWrongs(watched);
  });

  test("n and Enter start a session, and Enter answers nothing in the list of asks", async () => {
    const watched = await open("by-enter");
    const { page } = watched;
    await page.locator("#composer").blur();
    await page.keyboard.press("n");
    await page.waitForSelector("#start-prompt");
    await expect.poll(() => focus(page)).toBe("start-prompt");
    await page.keyboard.type("Named at once (scenario:text)");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Named at once" }).waitFor();
    // The list of what waits gives no answer to a key.
    await daemon.createSession("asking");
    await daemon.prompt("asking", "scenario:approve");
    await daemon.until("asking", "waiting");
    await page.locator("#composer").blur();
    await page.keyboard.press("w");
    const asks = page.getByRole("dialog", { name: "Waiting for you" });
    await asks.locator("[data-ask]").first().waitFor();
    await page.keyboard.press("Enter");
    expect(await asks.locator("[data-ask]").count()).toBeGreaterThan(0);
    expectNoWrongs(watched);
  });

  test("after an answer the focus goes to the next ask, then to the field", async () => {
    const watched = await open("focused");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    const allow = page.getByRole("button", { name: "Allow", exact: true });
    await allow.nth(1).waitFor();
    await allow.first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focus(page), PATIENT).toMatch(/^Permission/);
    await expect.poll(() => allow.count(), PATIENT).toBe(1);
    expect(await focus(page)).toMatch(/^Permission/);
    await allow.focus();
    await page.keyboard.press("Enter");
    await untilStatus(page, "idle");
    expect(await focus(page)).toBe("composer");
    expectNoWrongs(watched);
  });

  test("a session opens with Allow in sight, however much waits below it", async () => {
    await daemon.createSession("narrow", { title: "Add tile caching to the renderer" });
    await daemon.prompt("narrow", "Please cache rendered tiles on disk and note it in the docs.");
    await daemon.until("narrow", "waiting");
    for (const text of ["one", "two", "three", "four"]) await daemon.prompt("narrow", `then ${text}`);
    for (const height of [800, 600]) {
      const watched = await visit({ viewport: { width: 768, height } });
      const { page } = watched;
      const allow = page.getByRole("button", { name: "Allow", exact: true });
      // What waits comes when the conversation is there, and takes room from it.
      await page.route("**/v1/sessions/narrow/queue", async (route) => {
        await allow.waitFor();
        await route.continue();
      });
      await showSession(page, "narrow");
      await page.getByText("4 prompts wait").first().waitFor();
      await expect
        .poll(
          () =>
            allow.evaluate((button) => {
              const { left, top, width, height } = button.getBoundingClientRect();
              return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
            }),
          PATIENT,
        )
        .toBe(true);
      expectNoWrongs(watched);
      await page.context().close();
    }
  });

  test("a new tab has the token, and nobody else", async () => {
    const { page } = await visit();
    await page.waitForSelector("[data-connection=live]");
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/`);
    await other.waitForSelector("[data-connection=live]");
    expect(await other.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    // Nobody else gets it: another profile of the browser is asked for it.
    const stranger = await (await page.context().browser()!.newContext()).newPage();
    await stranger.goto(`${daemon.origin}/`);
    await stranger.getByLabel("Link", { exact: true }).waitFor();
    // A tab that waits gets it from one that was given it later.
    await page.close();
    await other.evaluate(() => sessionStorage.clear());
    await other.reload();
    await other.getByLabel("Link", { exact: true }).waitFor();
    const third = await other.context().newPage();
    await third.goto(daemon.link);
    await other.waitForSelector("[data-connection=live]");
  });
});
