/**
 * The page as it looks, light and dark, wide and on a phone. The pictures go into a folder for people to look at
 * (INTERLINGUA_SCREENSHOTS, or a temporary one); checked is what a program can see: that nothing sticks out and that
 * everything to press or to fill has a name.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, send, showSession, untilSaid, untilStatus, type Watched } from "./watched-page.ts";

/** On a phone it is in a menu. */
async function edit(page: Page, card: Locator): Promise<void> {
  const more = card.getByRole("button", { name: "More answers" });
  if (!(await more.isVisible())) return card.getByRole("button", { name: "Edit" }).click();
  await more.click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
}

describePage("screenshots", {}, ({ daemon, visit }) => {
  const pages = new Map<string, Watched>();

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    for (const { name, options } of LOOKS) pages.set(name, await visit(options));
  });

  /** Brings every page into a state and takes its picture. */
  async function shoot(name: string, act: (page: Page, isPhone: boolean) => Promise<void>): Promise<void> {
    for (const look of LOOKS) {
      const { page } = pages.get(look.name)!;
      await act(page, look.isPhone);
      await settled(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`) });
      expect(await flaws(page), `${name} ${look.name}`).toEqual([]);
    }
  }

  async function showWaiting(page: Page, session: string): Promise<void> {
    await showSession(page, session);
    await page.locator("main [data-ask]").first().waitFor();
  }

  test("nothing there yet", async () => {
    await shoot("empty", (page) => page.getByText("Start your first session").waitFor());
  });

  test("what waits for a person", async () => {
    const prompts = {
      "tile-cache": [
        "Add tile caching to the renderer",
        "Please cache rendered tiles on disk and note it in the docs.",
      ],
      "download-button": ["Restyle the download button", "Restyle the download button. (scenario:question)"],
      "geo-module": ["Rename the geo module", "Rename the module geo to geometry. (scenario:plan)"],
      release: ["Release 2.4", "Check everything before the release. (scenario:approve-two)"],
    };
    for (const [id, [title, text]] of Object.entries(prompts)) {
      await daemon.createSession(id, { title });
      await daemon.prompt(id, text!);
    }
    for (const id of Object.keys(prompts)) await daemon.until(id, "waiting");
    await shoot("approval", (page) => showWaiting(page, "tile-cache"));
    await shoot("approval-edit", async (page) => {
      await showWaiting(page, "release");
      const card = page.locator("main [data-ask]").first();
      await edit(page, card);
      await card.getByLabel("Command").waitFor();
    });
    await shoot("approval-edit-file", async (page) => {
      await showWaiting(page, "tile-cache");
      const card = page.locator("main [data-ask]").first();
      await edit(page, card);
      await card.getByRole("textbox").first().waitFor();
    });
    await shoot("question", (page) => showWaiting(page, "download-button"));
    await shoot("plan", (page) => showWaiting(page, "geo-module"));
  });

  test("a rich transcript", async () => {
    await daemon.createSession("figures", { title: "Summarize the usage figures" });
    for (const text of [
      "What does the newest figure say? (scenario:rich)",
      "Let a reviewer look at it. (scenario:subagent)",
      "And what is the answer? (scenario:retry)",
    ]) {
      await daemon.prompt("figures", text);
      await daemon.until("figures", "idle");
    }
    await daemon.createSession("importer", { title: "Migrate the legacy importer" });
    await daemon.prompt("importer", "Migrate the importer. (scenario:error)");
    await daemon.until("importer", "failed");
    await shoot("rich", async (page) => {
      await showSession(page, "figures");
      await untilSaid(page, "forty-two");
    });
    await shoot("failed", async (page) => {
      await showSession(page, "importer");
      await page.getByText("The turn failed").waitFor();
    });
  });

  test("a running turn, with a prompt that waits", async () => {
    // Slow enough to be in the middle of its first call for all four pictures.
    await daemon.createSession("webgpu", { title: "Port the map view to WebGPU", options: { pace: 40 } });
    const first = pages.get(LOOKS[0].name)!.page;
    await showSession(first, "webgpu");
    await send(first, "Port the map view to WebGPU, step by step.");
    await first.locator("[data-role=assistant]").waitFor();
    await send(first, "Then write an entry for the changelog");
    await shoot("running", async (page) => {
      await showSession(page, "webgpu");
      await page.getByText("Thinking").waitFor();
      await page.locator("[data-queued]").waitFor();
      await page.fill("#composer", "Keep the old renderer behind a flag");
      await page.getByRole("button", { name: "Steer" }).waitFor();
    });
    for (const { page } of pages.values()) await page.fill("#composer", "");
  });

  test("all asks, and the sessions on a phone", async () => {
    await shoot("all-asks", async (page) => {
      await showSession(page, "figures");
      await untilStatus(page, "idle");
      await page.getByRole("button", { name: /^\d+ open asks$/ }).click();
      await page.getByRole("dialog").locator("[data-ask]").nth(2).waitFor();
    });
    for (const { page } of pages.values()) await page.keyboard.press("Escape");
    await shoot("sessions", async (page, isPhone) => {
      if (isPhone) await page.getByRole("button", { name: "Sessions" }).click();
      await page.locator("[data-session=figures]:visible").first().waitFor();
    });
    expectNoWrongs(...pages.values());
  });
});
