/** The files of a session as they look; the pictures go where those of the other views go. */
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, type Watched } from "./watched-page.ts";

describePage("files as they look", {}, ({ daemon, visit }) => {
  const pages = new Map<string, Watched>();
  const session = "tile-cache";

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    const cwd = join(daemon.project, "renderer");
    await mkdir(cwd);
    await writeFile(join(cwd, "mock-removed.txt"), "to be removed\n");
    await daemon.createSession(session, {
      cwd,
      title: "Add tile caching to the renderer",
      options: { pace: 0 },
    });
    for (const text of [
      "Please cache rendered tiles on disk. (scenario:files)",
      "And note it in the docs. (scenario:files)",
      "What does the cache cost? (scenario:text)",
      "Then write the tests for it, with the helpers of the project. (scenario:todo)",
    ]) {
      await daemon.prompt(session, text);
      await daemon.until(session, "idle");
    }
    await appendFile(join(cwd, "mock-written.txt"), "by hand\n");
    for (const { name, options } of LOOKS) pages.set(name, await visit(options));
  });

  async function shoot(name: string, act: (page: Page) => Promise<void>): Promise<void> {
    for (const look of LOOKS) {
      const { page } = pages.get(look.name)!;
      await act(page);
      await settled(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`) });
      expect(await flaws(page), `${name} ${look.name}`).toEqual([]);
    }
  }

  test("changes, time line, preview with conflicts", async () => {
    await shoot("files-changes", async (page) => {
      await page.waitForSelector("[data-connection=live]", { state: "attached" });
      await page.evaluate((id) => {
        location.hash = `/sessions/${id}/files`;
      }, session);
      await page.locator("[data-edit='mock-written.txt']:visible").last().waitFor();
    });
    await shoot("files-time-line", async (page) => {
      await page.getByRole("tab", { name: "Timeline" }).click();
      await page.locator("[data-entry]").getByText("2 files").last().waitFor();
      await page.locator("[data-entry]").getByRole("button", { name: "2 files" }).first().click();
    });
    await shoot("files-restore", async (page) => {
      await page
        .locator("[data-entry]")
        .getByRole("button", { name: "Restore to before this" })
        .last()
        .click();
      await page.getByRole("dialog").locator("[data-preview]").waitFor();
      await page.getByRole("dialog").locator("[data-preview][aria-busy=false]").waitFor();
    });
    expectNoWrongs(...pages.values());
  });
});
