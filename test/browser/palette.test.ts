/** The command palette, the list of keys, and the looks of the page. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, leaveField, PATIENT, untilSaid } from "./watched-page.ts";

describePage("palette", {}, ({ daemon, visit, open }) => {
  const palette = (page: Page) => page.getByRole("dialog", { name: "Find or do anything" });

  test("a session is found by words of its title and opened with Enter, also while writing", async () => {
    await daemon.createSession("importer", { title: "Migrate the legacy importer" });
    await daemon.createSession("tiles", { title: "Cache the tiles" });
    const watched = await open("shown", { title: "Shown" });
    const { page } = watched;
    await page.focus("#composer");
    await page.keyboard.press("Control+k");
    await palette(page).getByRole("option", { name: "Cache the tiles" }).waitFor();
    await page.keyboard.type("legacy imp");
    await palette(page).getByRole("option", { name: "Cache the tiles" }).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Migrate the legacy importer" }).waitFor();
    await palette(page).waitFor({ state: "detached" });
    expect(await page.inputValue("#composer")).toBe("");
    expectNoWrongs(watched);
  });

  test("an action is done; the arrows choose, Escape leaves, and what matches nothing says so", async () => {
    const watched = await open("acting", { title: "Acting" });
    const { page } = watched;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("look");
    await palette(page).getByRole("option", { name: "Look: dark" }).click();
    await expect.poll(() => page.evaluate(() => document.documentElement.className), PATIENT).toBe("dark");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("no such thing anywhere");
    await palette(page).getByText("Nothing matches").waitFor();
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("what waits");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Waiting for you" }).waitFor();
    await page.keyboard.press("Escape");
    expectNoWrongs(watched);
  });

  test("the list of keys has every key that can be used, and none that cannot", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    await page.locator("#start-prompt").blur();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("New session").waitFor();
    await list.getByText("Find or do anything").waitFor();
    await list.getByText("List of sessions on or off").waitFor();
    expect(await list.getByText("X-ray").count()).toBe(0);
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    // The first Tab leads past the list.
    await page.getByRole("button", { name: "To the conversation" }).focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("start-prompt");
    // The list makes room, is as wide as it was left, and comes back.
    const edge = page.getByRole("separator", { name: "Width of the list" });
    await edge.focus();
    await page.keyboard.press("ArrowRight");
    expect(await edge.getAttribute("aria-valuenow")).toBe("304");
    await page.keyboard.press("Control+b");
    await edge.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: "Sessions" }).click();
    expect(await edge.getAttribute("aria-valuenow")).toBe("304");
    // Not while somebody writes.
    await page.focus("#session-search");
    await page.keyboard.type("?");
    expect(await page.inputValue("#session-search")).toBe("?");
    expect(await list.count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("the settings hold the look, notifications and the keys", async () => {
    const watched = await open("settings", { title: "Set once" });
    const { page } = watched;
    await page.getByRole("button", { name: "Find or do anything" }).getByText("Ctrl K").waitFor();
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.classList.contains("dark")), PATIENT)
      .toBe(true);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: /waits or is done|Blocked/ }).waitFor();
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    expectNoWrongs(watched);
  });

  test("high contrast is chosen once and stays, or comes from the system", async () => {
    const watched = await open("contrast", { title: "Contrast" });
    const { page } = watched;
    const shown = () => page.evaluate(() => document.documentElement.classList.contains("contrast"));
    expect(await shown()).toBe(false);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "High contrast" }).click();
    await expect.poll(shown, PATIENT).toBe(true);
    // The Escape that is meant for the menu finds it still open.
    await page.getByRole("menuitemcheckbox", { name: "High contrast", checked: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.reload();
    await page.waitForSelector("#composer");
    expect(await shown()).toBe(true);
    const system = await visit({ contrast: "more", reducedMotion: "reduce" });
    expect(await system.page.evaluate(() => document.documentElement.className)).toContain("contrast");
    expectNoWrongs(watched, system);
  });

  test("whoever asks for no motion gets none", async () => {
    await daemon.createSession("still");
    await daemon.prompt("still", "scenario:hang");
    await daemon.until("still", "running");
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.locator("[data-session=still] .animate-breathe, [data-connection]").first().waitFor();
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    expect(
      await page.evaluate(() =>
        document
          .getAnimations()
          .map((animation) => animation.effect!.getComputedTiming())
          .filter(({ duration, iterations }) => Number(duration) > 1 || iterations !== 1),
      ),
    ).toEqual([]);
  });

  test("it looks as it should", async () => {
    await daemon.createSession("talk", { title: "Summarize the usage figures" });
    await daemon.prompt("talk", "What does the newest figure say? (scenario:rich)");
    await daemon.until("talk", "idle");
    for (const look of LOOKS) {
      const { page } = await visit(look.options);
      await page.waitForSelector("[data-connection=live]", { state: "attached" });
      await page.keyboard.press("Control+k");
      await palette(page).getByRole("option", { name: "New session" }).first().waitFor();
      await settled(page);
      await page.screenshot({ path: `${FOLDER}/palette-${look.name}.png` });
      expect(await flaws(page), look.name).toEqual([]);
      await page.keyboard.press("Escape");
      await palette(page).waitFor({ state: "detached" });
      await leaveField(page);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await settled(page);
      await page.screenshot({ path: `${FOLDER}/shortcuts-${look.name}.png` });
      expect(await flaws(page), look.name).toEqual([]);
      await page.keyboard.press("Escape");
      await page.context().close();
    }
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await visit({ colorScheme, contrast: "more" });
      await page.waitForSelector("[data-connection=live]", { state: "attached" });
      await page.evaluate(() => {
        location.hash = "/sessions/talk";
      });
      await untilSaid(page, "newest");
      await settled(page);
      await page.screenshot({ path: `${FOLDER}/contrast-${colorScheme}.png` });
      await page.context().close();
    }
    // With the colours of the system alone, what grounds said is still seen.
    await daemon.prompt("talk", "scenario:approve");
    await daemon.until("talk", "waiting");
    const { page } = await visit({ forcedColors: "active", reducedMotion: "reduce" });
    await page.locator("aside [data-session=talk]").click();
    await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await settled(page);
    await page.screenshot({ path: `${FOLDER}/forced-colors.png` });
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);
    expect(await styleOf("[data-session=talk] [role=img]", "forced-color-adjust")).toBe("none");
    expect(await styleOf("[data-session=talk]", "outline-style")).toBe("solid");
    expect(await styleOf("main .bg-primary-soft", "border-top-width")).toBe("1px");
    expect(await styleOf("button:has-text('Allow')", "border-top-width")).toBe("1px");
  });
});
