/** The start as it looks: the first time, while the agent warms up, and with each of its lists open. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";

describePage("pictures of the start", {}, ({ daemon, visit }) => {
  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    for (const name of ["maps/.git", "renderer", "site/.git"])
      await mkdir(join(daemon.project, name), { recursive: true });
    await writeFile(join(daemon.project, "maps", "README.md"), "");
  });

  async function shoot(page: Page, name: string, look: string): Promise<void> {
    await settled(page);
    await page.screenshot({ path: join(FOLDER, `start-${name}-${look}.png`) });
    expect(await flaws(page), `${name} ${look}`).toEqual([]);
  }

  test.each(LOOKS)("$name", async ({ name, options }) => {
    const { page } = await visit(options);
    await page.getByRole("heading", { name: "Start your first session" }).waitFor();
    await page.getByRole("button", { name: "Directory: atlas" }).waitFor();
    await shoot(page, "first", name);
    await page.fill("#start-prompt", "Cache rendered tiles on disk, and note it in the docs.");
    await page.getByText("Mock is ready").waitFor();
    await page.getByRole("button", { name: /^Settings: / }).click();
    await shoot(page, "settings", name);
    await page.getByLabel("Permissions").selectOption("Allow everything");
    await page.keyboard.press("Escape");
    await page.getByText("without asking you").waitFor();
    await shoot(page, "written", name);
    await page.getByRole("button", { name: /^Directory: / }).click();
    await page.locator(`[data-act=go][data-directory="${daemon.project}"]`).click();
    await page.getByRole("option", { name: "renderer" }).waitFor();
    await shoot(page, "directories", name);
    await page.getByRole("combobox").fill("ma");
    await page.getByRole("option", { name: "maps" }).waitFor();
    await shoot(page, "search", name);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Agent: / }).click();
    await page.getByRole("group", { name: "To be set up" }).getByText("Grok Build").waitFor();
    await shoot(page, "agents", name);
    await page.getByRole("option", { name: /Anthropic API/ }).click();
    await page.getByText("Anthropic API needs you to sign in").waitFor();
    await shoot(page, "sign-in", name);
    await page.getByRole("button", { name: /^Agent: / }).click();
    await page.getByRole("option", { name: /Gemini CLI/ }).click();
    await page.getByText("Gemini CLI is not installed.").waitFor();
    await shoot(page, "install", name);
    await page.close();
    await expect
      .poll(async () => (await daemon.call<{ sessions: unknown[] }>("GET", "/v1/sessions")).sessions)
      .toEqual([]);
  });

  test("later, with sessions", async () => {
    await daemon.createSession("earlier", { title: "Draw the coast" });
    await daemon.createSession("asked", { title: "Colour the rivers" });
    await daemon.prompt("asked", "scenario:approve");
    await daemon.until("asked", "waiting");
    for (const { name, options } of LOOKS) {
      const { page } = await visit(options);
      await page.getByRole("heading", { name: "New session" }).waitFor();
      await page.locator("main [data-session=asked]").waitFor();
      await page.getByRole("button", { name: "Settings: Default settings" }).waitFor();
      await shoot(page, "later", name);
      await page.close();
    }
  });
});
