/** Calls are shown by what their tools do; nothing of the raw exchange is left where something clearer stands for it. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { toolMessages } from "./tool-messages.ts";
import { expectNoWrongs, PATIENT, type Watched } from "./watched-page.ts";

describePage("tools", {}, ({ daemon, visit }) => {
  async function showTools(session: string, options: object = {}): Promise<Watched> {
    await daemon.createSession(session);
    const watched = await visit(options);
    const { page } = watched;
    await page.route(`**/api/chat/${session}/messages?*`, (route) =>
      route.fulfill({ json: { messages: toolMessages(daemon.project), hasMore: false } }),
    );
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate((id) => {
      location.hash = `/sessions/${id}`;
    }, session);
    // Colours come last, and until they are there it grows.
    for (const part of ["[data-call=edit-1]", "[data-code]"])
      await page.locator(`${part} .hljs-keyword`).first().waitFor();
    return watched;
  }

  /** They may touch by `overlap` pixels. */
  async function expectBelow(lower: Locator, upper: Locator, overlap = 0): Promise<void> {
    const [below, above] = [await lower.boundingBox(), await upper.boundingBox()];
    expect(below!.y + overlap).toBeGreaterThanOrEqual(above!.y + above!.height);
  }

  function call(page: Page, id: string) {
    return page.locator(`[data-call="${id}"]`);
  }

  test("a run of calls is one line that can be opened, and paths begin in the session's directory", async () => {
    const watched = await showTools("runs");
    const { page } = watched;
    const run = page.getByRole("button", { name: "Read 2 files, searched, ran a command" });
    await run.waitFor();
    expect(await call(page, "read-1").count()).toBe(0);
    await run.click();
    await call(page, "read-1").getByText("Read src/tiles.ts").waitFor();
    await call(page, "search-1").getByRole("button").first().click();
    const found = call(page, "search-1").getByRole("list", { name: "Found" });
    await found.getByText("src/map.ts", { exact: true }).waitFor();
    await call(page, "search-1").getByText("Searched").waitFor();
    await call(page, "search-1").getByText("3 matches in 2 files").waitFor();
    expect(await found.locator("mark").allTextContents()).toEqual(["tilePath", "tilePath", "tilePath"]);
    expect(await found.getByRole("listitem").count()).toBe(5);
    expect(await page.locator("[role=log]").textContent()).not.toContain(daemon.project);
    expectNoWrongs(watched);
  });

  test("a command has the colours of its terminal and says how it ended", async () => {
    const watched = await showTools("commands");
    const { page } = watched;
    const command = call(page, "test-1");
    await command.getByText("Exit 1").waitFor();
    // It failed: what it said is in sight, and the command stands there once.
    const terminal = command.locator("[data-part=terminal]");
    await terminal.getByText("npm test -- --run").waitFor();
    expect(await command.getByText("npm test -- --run").count()).toBe(1);
    await terminal.locator(".ansi-text-red", { hasText: "AssertionError" }).waitFor();
    await terminal.locator(".ansi-on-red", { hasText: "FAIL" }).waitFor();
    expect(await terminal.textContent()).not.toContain("\u001b");
    expectNoWrongs(watched);
  });

  test("an edit shows the words that changed, in one column or side by side, and the choice is kept", async () => {
    const watched = await showTools("edits");
    const { page } = watched;
    const edit = call(page, "edit-1");
    await edit.locator("mark", { hasText: ", y: number" }).waitFor();
    await edit.locator(".hljs-keyword", { hasText: "export" }).first().waitFor();
    await edit.locator("[data-edit]").hover();
    await edit.getByRole("button", { name: "Show side by side" }).click();
    await expect.poll(() => edit.locator("colgroup col").count(), PATIENT).toBe(4);
    await page.reload();
    await expect.poll(() => edit.locator("colgroup col").count(), PATIENT).toBe(4);
    expectNoWrongs(watched);
    // What was allowed stands below the lines, not under them.
    await expectBelow(edit.getByText("by ada"), edit.locator("[data-edit]"));
    // There is no room for two columns on a phone.
    const phone = await showTools("edits-on-a-phone", { viewport: { width: 390, height: 844 } });
    await phone.page.evaluate(() => localStorage.setItem("interlingua-diff-layout", "split"));
    await phone.page.reload();
    await call(phone.page, "edit-1").locator("mark").first().waitFor();
    expect(await call(phone.page, "edit-1").locator("colgroup").count()).toBe(0);
    expectNoWrongs(phone);
  });

  test("code is coloured and copied, a table goes into a spreadsheet, a plan tells how far it is", async () => {
    const watched = await showTools("texts", { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = watched;
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.locator("[data-code=ts] .hljs-comment").first().waitFor();
    await page.getByRole("button", { name: "Copy code" }).click();
    await expect.poll(clipboard, PATIENT).toContain("export const PATH = tilePath(3, 4, 5);");
    await page.locator("table").last().hover();
    await page.getByRole("button", { name: "Copy table" }).click();
    await expect.poll(clipboard, PATIENT).toBe("file\tlines\nsrc/tiles.ts\t12\nREADME.md\t3");
    await expectBelow(
      page.getByRole("columnheader").last(),
      page.getByRole("button", { name: "Copy table" }),
      8,
    );
    const progress = page.getByRole("progressbar", { name: "Plan" });
    expect(await progress.evaluate((bar) => (bar as HTMLProgressElement).position)).toBeCloseTo(1 / 3);
    expectNoWrongs(watched);
  });

  test("on a touch screen the button of a table is above its headings", async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 820, height: 1180 },
    ]) {
      const options = { viewport, isMobile: true, hasTouch: true };
      const { page } = await showTools(`table-${viewport.width}`, options);
      await expectBelow(
        page.getByRole("columnheader").last(),
        page.getByRole("button", { name: "Copy table" }),
      );
    }
  });

  test("another agent's work is inside of its call, with how much it did", async () => {
    const watched = await showTools("agents");
    const { page } = watched;
    const agent = call(page, "agent-1");
    await agent.getByText("1 step").waitFor();
    expect(await call(page, "sub-1").count()).toBe(0);
    await agent.getByRole("button").first().click();
    await agent.locator("[data-subagent] [data-call=sub-1]").waitFor();
    // Its answer is what it said last, and stands there once.
    expect(await agent.getByText("There are none.").count()).toBe(1);
    expectNoWrongs(watched);
  });
});
