/** The list of sessions as it looks, in every look; see `looks.ts`. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, showSession, type Watched } from "./watched-page.ts";

describePage("pictures of the list of sessions", {}, ({ daemon, visit }) => {
  const pages = new Map<string, Watched>();

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    const root = await realpath(daemon.project);
    for (const folder of ["web/docs", "api/docs"]) await mkdir(join(root, folder), { recursive: true });
    const made: [id: string, title: string | undefined, cwd: string, prompt?: string][] = [
      ["importer", "Migrate the legacy importer", "", "Migrate it. (scenario:error)"],
      ["usage", undefined, "web/docs", "Summarize the usage figures of last week. (scenario:rich)"],
      ["guide", "Write the guide for walkers, with pictures of every crossing and a map", "web/docs"],
      ["schema", "Describe the schema", "api/docs", "Describe it. (scenario:text)"],
      ["nothing", undefined, ""],
      ["coast", "Draw the coast", "", "Draw it. (scenario:text)"],
      ["button", "Restyle the download button", "", "Restyle it. (scenario:question)"],
    ];
    for (const [id, title, cwd, prompt] of made) {
      await daemon.createSession(id, { title, cwd: join(root, cwd) });
      if (prompt === undefined) continue;
      await daemon.prompt(id, prompt);
      await daemon.until(id, "idle", "failed", "waiting");
    }
    for (let forks = 0; forks < 2; forks += 1) await daemon.call("POST", "/v1/sessions/coast/fork", {});
    await daemon.call("PATCH", "/v1/sessions/guide", { pinned: true });
    await daemon.createSession("port", { title: "Port the map view to WebGPU", options: { pace: 60 } });
    await daemon.prompt("port", "Port the map view to WebGPU, step by step.");
    await daemon.prompt("port", "Then write an entry for the changelog.");
    await daemon.createSession("old", { title: "Spike: tiles in WASM" });
    await daemon.call("PATCH", "/v1/sessions/old", { archived: true });
    for (const { name, options } of LOOKS) {
      const watched = await visit(options);
      await showSession(watched.page, "coast");
      pages.set(name, watched);
    }
  }, 240_000);

  async function shoot(
    name: string,
    act: (page: Page) => Promise<unknown>,
    after: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<void> {
    for (const look of LOOKS) {
      const { page } = pages.get(look.name)!;
      await act(page);
      await settled(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`) });
      expect(await flaws(page), `${name} ${look.name}`).toEqual([]);
      await after(page);
    }
  }

  const nav = (page: Page) => page.locator("nav[aria-label=Sessions]:visible");

  /** Opens the menu of a row: with a finger by holding it down. */
  async function openMenu(page: Page, title: string): Promise<void> {
    const row = nav(page).locator("[data-session]", { hasText: title });
    if (await page.evaluate(() => matchMedia("(pointer: coarse)").matches)) {
      const at = (await row.boundingBox())!;
      const touch = { pointerType: "touch", isPrimary: true, clientX: at.x + 40, clientY: at.y + 12 };
      await row.dispatchEvent("pointerdown", touch);
    } else {
      await row.hover();
      await nav(page)
        .getByRole("button", { name: `Actions of ${title}` })
        .click();
    }
    await page.getByRole("menuitem", { name: "Fork", exact: true }).waitFor();
  }

  test("by state, by directory, archived, several, and the menu", async () => {
    await shoot("list", async (page) => {
      const open = page.getByRole("button", { name: "Sessions", exact: true });
      if (await open.isVisible()) await open.click();
      await nav(page).getByText("Restyle the download button").waitFor();
    });
    await shoot("list-menu", async (page) => {
      await openMenu(page, "Restyle the download button");
    });
    await shoot("list-options", async (page) => {
      await page.keyboard.press("Escape");
      await nav(page).getByRole("button", { name: "List options" }).click();
      await page.getByRole("menuitemradio", { name: "Directory" }).waitFor();
    });
    await shoot("list-directories", async (page) => {
      await page.getByRole("menuitemradio", { name: "Directory" }).click();
      await nav(page).getByText("api/docs").waitFor();
    });
    await shoot("list-several", async (page) => {
      await nav(page).getByRole("button", { name: "List options" }).click();
      await page.getByRole("menuitem", { name: "Select several" }).click();
      await nav(page).getByRole("checkbox", { name: "Describe the schema" }).check();
      await nav(page).getByRole("checkbox", { name: "Restyle the download button" }).check();
    });
    await shoot("list-archived", async (page) => {
      await nav(page).getByRole("button", { name: "Done" }).click();
      await nav(page).getByRole("button", { name: "List options" }).click();
      await page.getByRole("menuitem", { name: "Archived sessions" }).click();
      await nav(page).getByText("Spike: tiles in WASM").waitFor();
    });
    await shoot("list-rename", async (page) => {
      await nav(page).getByRole("button", { name: "Back to all sessions" }).click();
      await openMenu(page, "Describe the schema");
      await page.getByRole("menuitem", { name: "Rename" }).click();
    });
    for (const { page } of pages.values()) await page.keyboard.press("Escape");
  });

  test("found in titles and in messages", async () => {
    await shoot("list-search", async (page) => {
      await nav(page).locator("#session-search").fill("draw");
      await nav(page).locator("[data-result]").first().waitFor();
    });
    await shoot("list-search-nothing", async (page) => {
      await nav(page).locator("#session-search").fill("glacier");
      await nav(page).getByText("Nothing matches").waitFor();
    });
    for (const { page } of pages.values()) await nav(page).locator("#session-search").fill("");
  });

  test("deleted, with the way back", async () => {
    await shoot(
      "list-deleted",
      async (page) => {
        await openMenu(page, "Describe the schema");
        await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
        await page.locator("[data-toast]").waitFor();
      },
      // Before it is gone for the others.
      (page) => page.getByRole("button", { name: "Undo" }).click(),
    );
    expectNoWrongs(...pages.values());
  });
});
