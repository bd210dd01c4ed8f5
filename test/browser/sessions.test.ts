/** The list of sessions: what can be done with one, with several, and how they are found again. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { SessionDetails } from "../../web/src/api/types.ts";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, send, showSession, untilSaid, type Watched } from "./watched-page.ts";

describePage("the list of sessions", {}, (tools) => {
  const { daemon, show } = tools;
  const rowOf = (page: Page, id: string): Locator => page.locator(`aside [data-session="${id}"]`);

  const read = (id: string) => daemon.call<SessionDetails>("GET", `/v1/sessions/${id}`);

  async function visit(): Promise<Watched> {
    const watched = await tools.visit();
    await atStart(watched.page);
    return watched;
  }

  /** Waits until the field of the start has come, and leaves it: keys are for the list. */
  async function atStart(page: Page): Promise<void> {
    await page.locator("#start-prompt").waitFor();
    await page.locator("#start-prompt").blur();
  }

  /** Opens the menu of a row and presses an item. */
  async function choose(page: Page, title: string, item: string): Promise<void> {
    await page
      .locator("aside")
      .getByRole("button", { name: `Actions of ${title}` })
      .click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  }

  /**
   * Of all tabs that have loaded a page, as the browser knows them: Playwright announces none whose first navigation was over
   * before it looked.
   */
  async function addressesOfTabs(page: Page): Promise<string[]> {
    const browser = await page.context().browser()!.newBrowserCDPSession();
    const { targetInfos } = await browser.send("Target.getTargets");
    await browser.detach();
    return targetInfos.filter(({ type, title }) => type === "page" && title).map(({ url }) => url);
  }

  const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);

  /** Groups with the titles below them, as they are read. */
  function listed(page: Page): Promise<string[]> {
    return page
      .locator("aside li")
      .evaluateAll((rows) =>
        rows.map(
          (row) => row.querySelector("h3 span, a .font-medium, label .font-medium")?.textContent ?? "",
        ),
      );
  }

  test("a row is a link that opens in a new tab, and no session goes by its id", async () => {
    await daemon.createSession("id-of-a-session");
    const watched = await show("id-of-a-session");
    const { page } = watched;
    const row = rowOf(page, "id-of-a-session");
    await row.getByText("New session").waitFor();
    await page.getByRole("heading", { name: "New session", level: 1 }).waitFor();
    expect(await page.locator("body").textContent()).not.toContain("id-of-a-session");
    expect(await addressesOfTabs(page)).toHaveLength(1);
    await row.click({ modifiers: ["ControlOrMeta"] });
    const address = `${daemon.origin}/#/sessions/id-of-a-session`;
    await expect.poll(() => addressesOfTabs(page), PATIENT).toEqual([address, address]);
    // What such a tab finds: the session, without a token.
    const tab = await page.context().newPage();
    await tab.goto(address);
    await tab.waitForSelector("#composer");
    await send(page, "scenario:echo Draw the coast");
    await row.getByText("scenario:echo Draw the coast").waitFor();
    expectNoWrongs(watched);
  });

  test("is renamed in its place, by the menu, by F2 and at the top", async () => {
    await daemon.createSession("renamed", { title: "Before" });
    const watched = await show("renamed");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Title" });
    await choose(page, "Before", "Rename");
    expect(await field.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart!))).toBe(
      "Before",
    );
    await page.keyboard.type("By the menu");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "By the menu" }).waitFor();
    expect((await read("renamed")).title).toBe("By the menu");

    await rowOf(page, "renamed").focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("Never");
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    expect((await read("renamed")).title).toBe("By the menu");
    // The focus is where it was, not nowhere.
    expect(await isFocused(rowOf(page, "renamed"))).toBe(true);

    const title = page.getByRole("heading", { name: "By the menu" }).getByRole("button");
    await title.click();
    await page.keyboard.press("Escape");
    expect(await isFocused(title)).toBe(true);
    await title.click();
    await field.fill("At the top");
    await page.locator("#composer").click();
    await rowOf(page, "renamed").getByText("At the top").waitFor();
    expectNoWrongs(watched);
  });

  test("is pinned, archived, found in the archive and brought back", async () => {
    await daemon.createSession("kept", { title: "Keep me" });
    const watched = await visit();
    const { page } = watched;
    await rowOf(page, "kept").hover();
    await choose(page, "Keep me", "Pin");
    await expect.poll(() => listed(page), PATIENT).toEqual(expect.arrayContaining(["Pinned", "Keep me"]));
    expect((await listed(page)).slice(0, 2)).toEqual(["Pinned", "Keep me"]);
    await choose(page, "Keep me", "Archive");
    await rowOf(page, "kept").waitFor({ state: "detached" });
    expect((await read("kept")).archived).toBe(true);
    // Another page does not have it, but its link leads there.
    const other = await visit();
    await showSession(other.page, "kept");
    await other.page.locator("header").getByText("Archived").waitFor();

    await page.reload();
    await atStart(page);
    await page.getByRole("button", { name: "List options" }).click();
    await page.getByRole("menuitem", { name: "Archived sessions" }).click();
    await rowOf(page, "kept").waitFor();
    await choose(page, "Keep me", "Back to the list");
    await page.getByText("Nothing is archived").waitFor();
    await page.getByRole("button", { name: "Back to all sessions" }).click();
    await rowOf(page, "kept").waitFor();
    await other.page.locator("header").getByText("Archived").waitFor({ state: "detached" });
    // The undo of the toast.
    await choose(page, "Keep me", "Archive");
    await rowOf(page, "kept").waitFor({ state: "detached" });
    await page
      .locator("[data-toast]")
      .filter({ hasText: "“Keep me” archived" })
      .getByRole("button", { name: "Undo" })
      .click();
    await rowOf(page, "kept").waitFor();
    expect((await read("kept")).archived).toBeUndefined();
    expectNoWrongs(watched, other);
  });

  test("is deleted with an undo, and for good when the page goes", async () => {
    await daemon.createSession("deleted", { title: "Delete me" });
    const watched = await show("deleted");
    const { page } = watched;
    const deletions: string[] = [];
    page.on("request", (request) => request.method() === "DELETE" && deletions.push(request.url()));
    await choose(page, "Delete me", "Delete");
    await rowOf(page, "deleted").waitFor({ state: "detached" });
    await expect.poll(() => page.url(), PATIENT).toBe(`${daemon.origin}/#/`);
    // Nobody else has lost it yet.
    const other = await visit();
    await rowOf(other.page, "deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Delete me" }).waitFor();
    expect(deletions).toEqual([]);

    await page.getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
    await rowOf(page, "deleted").waitFor({ state: "detached" });
    await page.goto("about:blank");
    await rowOf(other.page, "deleted").waitFor({ state: "detached" });
    await expect(read("deleted")).rejects.toThrow("404");
    expectNoWrongs(other);
  });

  test("is gone when the time to undo is over", async () => {
    await daemon.createSession("late", { title: "Too late" });
    const watched = await visit();
    const { page } = watched;
    await rowOf(page, "late").focus();
    await page.keyboard.press("Delete");
    await page.locator("[data-toast]", { hasText: "“Too late” deleted" }).waitFor();
    await page.locator("[data-toast] [data-countdown=ring]").waitFor();
    await read("late");
    await page.locator("[data-toast]").waitFor({ state: "detached" });
    await expect.poll(() => read("late").catch(String), PATIENT).toContain("404");
    expect(await rowOf(page, "late").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("several are chosen with keys and a range, archived together, and all come back at once", async () => {
    for (const n of [1, 2, 3, 4]) await daemon.createSession(`many-${n}`, { title: `Batch ${n}` });
    const watched = await visit();
    const { page } = watched;
    await page.fill("#session-search", "Batch");
    await rowOf(page, "many-4").focus();
    await page.keyboard.press("s");
    const bar = page.getByRole("toolbar", { name: "Chosen sessions" });
    await bar.getByText("1 chosen").waitFor();
    await page.locator("[data-choice=many-2]").click({ modifiers: ["Shift"] });
    await bar.getByText("3 chosen").waitFor();
    await bar.getByRole("button", { name: "Archive" }).click();
    await page.locator("[data-toast]", { hasText: "3 sessions archived" }).waitFor();
    const archived = async () => {
      const all = await Promise.all([1, 2, 3, 4].map((n) => read(`many-${n}`)));
      return all.map((one) => one.archived ?? false);
    };
    await expect.poll(archived, PATIENT).toEqual([false, true, true, true]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(archived, PATIENT).toEqual([false, false, false, false]);

    await page.fill("#session-search", "");
    // Tab leads to one row of the list, its menu opens by a key, and the next Tab leaves the list.
    const stops = page.locator("aside li :is(a, button):not([tabindex='-1'])");
    await expect.poll(() => stops.count(), PATIENT).toBe(1);
    await rowOf(page, "many-3").focus();
    await expect.poll(() => stops.getAttribute("data-session"), PATIENT).toBe("many-3");
    await page.keyboard.press(".");
    const pin = page.getByRole("menuitem", { name: "Pin", exact: true });
    await pin.waitFor();
    await page.keyboard.press("Escape");
    await pin.waitFor({ state: "detached" });
    // The menu gives the focus back to its button when it is gone.
    const isInRow = () => page.evaluate(() => document.activeElement?.closest("li") !== null);
    await expect.poll(isInRow, PATIENT).toBe(true);
    await rowOf(page, "many-3").focus();
    await page.keyboard.press("Tab");
    expect(await isInRow()).toBe(false);

    await page.getByRole("button", { name: "List options" }).click();
    await page.getByRole("menuitem", { name: "Select several" }).click();
    for (const n of [1, 2]) await page.getByRole("checkbox", { name: `Batch ${n}` }).check();
    await bar.getByRole("button", { name: "More for the chosen ones" }).click();
    await page.getByRole("menuitem", { name: "Close…" }).click();
    await page
      .getByRole("dialog", { name: "Close 2 sessions?" })
      .getByRole("button", { name: "Close sessions" })
      .click();
    for (const n of [1, 2]) await daemon.until(`many-${n}`, "closed");
    expect(await bar.count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("several are chosen with the keys alone, and a row that goes leaves the focus to the next", async () => {
    for (const n of [1, 2, 3, 4]) await daemon.createSession(`key-${n}`, { title: `Keyed ${n}` });
    const watched = await visit();
    const { page } = watched;
    await page.fill("#session-search", "Keyed");
    await expect.poll(() => page.locator("aside [data-session]").count(), PATIENT).toBe(4);
    const box = (n: number) => page.getByRole("checkbox", { name: `Keyed ${n}` });
    const bar = page.getByRole("toolbar", { name: "Chosen sessions" });
    await rowOf(page, "key-4").focus();
    await page.keyboard.press("s");
    await bar.getByText("1 chosen").waitFor();
    expect(await isFocused(box(4))).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await isFocused(box(3))).toBe(true);
    await page.keyboard.press("Space");
    await bar.getByText("2 chosen").waitFor();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    expect(await isFocused(rowOf(page, "key-3"))).toBe(true);
    // Also with the focus nowhere.
    await page.keyboard.press("s");
    await box(3).blur();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });

    await rowOf(page, "key-3").focus();
    await page.keyboard.press("Delete");
    await rowOf(page, "key-3").waitFor({ state: "detached" });
    await expect.poll(() => isFocused(rowOf(page, "key-2")), PATIENT).toBe(true);
    // A search finds those in the archive too.
    await page.fill("#session-search", "");
    await choose(page, "Keyed 2", "Archive");
    await rowOf(page, "key-2").waitFor({ state: "detached" });
    const isAtRow = () => page.evaluate(() => document.activeElement?.matches("aside [data-session]"));
    await expect.poll(isAtRow, PATIENT).toBe(true);
    expectNoWrongs(watched);
  });

  test("at the start, a row that goes leaves the focus to the next, and one that changes places takes it along", async () => {
    for (const n of [1, 2, 3]) await daemon.createSession(`latest-${n}`, { title: `Latest ${n}` });
    const watched = await visit();
    const { page } = watched;
    const row = (id: string) => page.locator(`main [data-latest] [data-session="${id}"]`);
    await row("latest-2").focus();
    await page.keyboard.press("Delete");
    await row("latest-2").waitFor({ state: "detached" });
    await expect.poll(() => isFocused(row("latest-1")), PATIENT).toBe(true);
    await daemon.prompt("latest-1", "scenario:approve");
    const waiting = page.locator('main [data-latest=waiting] [data-session="latest-1"]');
    await waiting.waitFor();
    await expect.poll(() => isFocused(waiting), PATIENT).toBe(true);
    expectNoWrongs(watched);
  });

  test("groups by directory are remembered, and can be folded", async () => {
    const docs = join(await realpath(daemon.project), "docs");
    await mkdir(docs);
    await daemon.createSession("in-docs", { title: "Write the guide", cwd: docs });
    const watched = await visit();
    const { page } = watched;
    await page.getByRole("button", { name: "List options" }).click();
    await page.getByRole("menuitemradio", { name: "Directory" }).click();
    await expect
      .poll(async () => (await listed(page)).slice(2, 5), PATIENT)
      .toEqual(["docs", "Write the guide", "atlas"]);
    await page.getByRole("button", { name: "docs", expanded: true }).click();
    await rowOf(page, "in-docs").waitFor({ state: "detached" });
    await page.reload();
    await atStart(page);
    await page.getByRole("button", { name: "docs 1", expanded: false }).click();
    await rowOf(page, "in-docs").waitFor();
    expectNoWrongs(watched);
  });

  test("a fork opens and stands below its origin", async () => {
    await daemon.createSession("origin", { title: "Grow a tree" });
    await daemon.prompt("origin", "scenario:text");
    await daemon.until("origin", "idle");
    const watched = await visit();
    const { page } = watched;
    await rowOf(page, "origin").hover();
    await choose(page, "Grow a tree", "Fork");
    await page.locator("header").getByText("fork of").waitFor();
    await untilSaid(page, "Hello from the mock agent.");
    const fork = new URL(page.url()).hash.split("/").at(-1)!;
    expect(fork).not.toBe("origin");
    // Until it says something itself, it is told from its origin by its name.
    await rowOf(page, fork).getByText("(fork)").waitFor();
    const left = (id: string) =>
      rowOf(page, id)
        .locator(".font-medium")
        .first()
        .evaluate((title) => title.getBoundingClientRect().left);
    await expect.poll(async () => (await left(fork)) - (await left("origin")), PATIENT).toBeGreaterThan(5);
    await send(page, "scenario:text Grow another branch");
    await rowOf(page, fork).getByText("scenario:text Grow another branch").waitFor();
    await rowOf(page, "origin").getByText("Grow a tree", { exact: true }).waitFor();
    await page.locator("header").getByRole("link", { name: "Grow a tree" }).click();
    await page.waitForURL("**/#/sessions/origin");
    // What both have is found once.
    await daemon.createSession("planted", { title: "Plant it" });
    await daemon.prompt("planted", "scenario:echo An oak on the hill");
    await daemon.until("planted", "idle");
    for (const _ of [1, 2]) await daemon.call("POST", "/v1/sessions/planted/fork", {});
    await page.fill("#session-search", "oak hill");
    await page.locator("aside [data-result]", { hasText: "also in 2 forks" }).first().waitFor();
    const found = await page.locator("aside [data-result]").allTextContents();
    expect(found.map((text) => text.startsWith("Plant it"))).toEqual([true, true]);
    expectNoWrongs(watched);
  });

  test("a word of an old answer is found, shown in its place, and opened with two keys", async () => {
    await daemon.createSession("lighthouses", { title: "Along the coast" });
    await daemon.prompt("lighthouses", "scenario:echo The lighthouse of Skagen is forty-six metres high");
    await daemon.until("lighthouses", "idle");
    await daemon.call("PATCH", "/v1/sessions/lighthouses", { archived: true });
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    await page.keyboard.press("/");
    await page.keyboard.type("skagen ligh");
    const results = page.locator("aside [data-result]");
    await expect.poll(() => results.count(), PATIENT).toBe(2);
    const texts = await results.allTextContents();
    expect(texts.every((text) => text.includes("Along the coast"))).toBe(true);
    expect(texts.map((text) => /(Prompt|Mock): /.exec(text)?.[1]).sort()).toEqual(["Mock", "Prompt"]);
    expect(new Set(await results.first().locator("mark").allTextContents())).toEqual(
      new Set(["lighthouse", "Skagen"]),
    );
    const message = await results.first().getAttribute("data-result");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/#/sessions/lighthouses/messages/${message}`);
    await untilSaid(page, "forty-six metres high");
    // Sessions by their titles, archived ones too; the arrows lead there.
    await page.fill("#session-search", "along coast");
    await rowOf(page, "lighthouses").getByRole("img", { name: "Archived" }).waitFor();
    await page.press("#session-search", "ArrowDown");
    expect(await rowOf(page, "lighthouses").evaluate((row) => row === document.activeElement)).toBe(true);
    await page.fill("#session-search", "no such words anywhere");
    await page.getByText("Nothing matches").waitFor();
    expectNoWrongs(watched);
  });

  test("whoever may only read is offered nothing", async () => {
    const { token } = await daemon.call<{ token: string }>("POST", "/v1/tokens", {
      name: "Eve",
      role: "observer",
    });
    const watched = await visit();
    const { page } = watched;
    await page.evaluate((given) => sessionStorage.setItem("interlingua.token", given), token);
    await page.reload();
    await rowOf(page, "origin").focus();
    for (const key of ["F2", "Delete"]) await page.keyboard.press(key);
    expect(await page.getByRole("button", { name: /^Actions of|Session actions/ }).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Title" }).count()).toBe(0);
    expect(await rowOf(page, "origin").count()).toBe(1);
    expectNoWrongs(watched);
  });
});
