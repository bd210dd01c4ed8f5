/** Every view of the page has no barrier that axe calls serious, light, dark and with high contrast, wide and on a phone. */
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { findBarriers } from "./find-barriers.ts";
import { settled } from "./looks.ts";
import { PATIENT, untilSaid } from "./watched-page.ts";

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const LOOKS = {
  light: { ...DESKTOP, colorScheme: "light" },
  dark: { ...DESKTOP, colorScheme: "dark" },
  "high contrast": { ...DESKTOP, colorScheme: "light", contrast: "more" },
  "high contrast, dark": { ...DESKTOP, colorScheme: "dark", contrast: "more" },
  phone: { ...PHONE, colorScheme: "light" },
} as const;

async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    location.hash = path;
  }, path);
}

async function dialog(page: Page, keys: string, name: string): Promise<void> {
  await page.locator("#composer").blur();
  await page.keyboard.press(keys);
  await page.getByRole("dialog", { name }).waitFor();
}

/** Brings a page to a view. Each begins with no dialog open. */
const VIEWS: Readonly<Record<string, (page: Page, isPhone: boolean) => Promise<void>>> = {
  async start(page) {
    await go(page, "/");
    await page.locator("main").waitFor();
  },
  async "a rich transcript"(page) {
    await go(page, "/sessions/figures");
    await untilSaid(page, "forty-two");
  },
  async "a permission"(page) {
    await go(page, "/sessions/tile-cache");
    await page.locator("main [data-ask]").first().waitFor();
  },
  async "a question"(page) {
    await go(page, "/sessions/download-button");
    await page.locator("main [data-ask]").first().waitFor();
  },
  async "a plan"(page) {
    await go(page, "/sessions/geo-module");
    await page.locator("main [data-ask]").first().waitFor();
  },
  async "a turn that failed"(page) {
    await go(page, "/sessions/importer");
    await page.getByText("The turn failed").first().waitFor();
  },
  async "what waits"(page) {
    await go(page, "/sessions/figures");
    await untilSaid(page, "forty-two");
    await dialog(page, "w", "Waiting for you");
  },
  async "the sessions"(page, isPhone) {
    if (isPhone) await page.getByRole("button", { name: "Sessions" }).first().click();
    await page.locator("[data-session=figures]:visible").first().waitFor();
  },
  async "the menu of a session"(page) {
    await go(page, "/sessions/figures");
    await page.locator("main").getByRole("button", { name: "Session actions" }).click();
    await page.getByRole("menu").waitFor();
  },
  async "changed files"(page) {
    await go(page, "/sessions/changed/files");
    await page.getByText("mock-written.txt").first().waitFor();
  },
  async "background tasks"(page) {
    await go(page, "/sessions/figures/tasks");
    await page.waitForSelector("#composer", { state: "attached" });
  },
  async "X-ray"(page) {
    await go(page, "/sessions/figures/xray");
    await page.waitForSelector("#composer", { state: "attached" });
  },
  async palette(page) {
    await go(page, "/sessions/figures");
    await page.waitForSelector("#composer");
    await dialog(page, "Control+k", "Find or do anything");
    await page.getByRole("option").first().waitFor();
  },
  async "the keys"(page) {
    await dialog(page, "?", "Keyboard shortcuts");
  },
  async usage(page) {
    await go(page, "/usage");
    await page.getByRole("table").waitFor();
  },
  async "an invitation"(page) {
    await go(page, "/sessions/figures");
    await page.waitForSelector("#composer");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("invite");
    await page.getByRole("option", { name: "Invite somebody" }).click();
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByLabel("Link", { exact: true }).waitFor();
  },
  async "a phone"(page) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("phone");
    await page.getByRole("option", { name: "Open on my phone" }).click();
    await page.getByRole("button", { name: "Show the code" }).click();
    await page.getByRole("img", { name: "QR code of the link" }).waitFor();
  },
};

describePage("barriers", { allowHosts: ["box.example.com"] }, ({ daemon, visit, follow }) => {
  beforeAll(async () => {
    const prompts: Record<string, [title: string, status: string, ...prompts: string[]]> = {
      figures: [
        "Summarize the usage figures",
        "idle",
        "scenario:rich",
        "scenario:subagent",
        "scenario:retry",
      ],
      "tile-cache": ["Add tile caching", "waiting", "Please cache rendered tiles on disk."],
      "download-button": ["Restyle the download button", "waiting", "scenario:question"],
      "geo-module": ["Rename the geo module", "waiting", "scenario:plan"],
      importer: ["Migrate the importer", "failed", "scenario:error"],
      changed: ["Change files", "idle", "scenario:files"],
    };
    for (const [id, [title, status, ...texts]] of Object.entries(prompts)) {
      await daemon.createSession(id, { title });
      for (const text of texts) {
        await daemon.prompt(id, text);
        await daemon.until(id, status);
      }
    }
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`of every view, ${look}`, async () => {
      const { page } = await visit(options);
      await page.waitForSelector("[data-connection=live]", { state: "attached" });
      const barriers: Record<string, string[]> = {};
      for (const [name, show] of Object.entries(VIEWS)) {
        await show(page, look === "phone");
        await settled(page);
        const found = await findBarriers(page);
        if (found.length > 0) barriers[name] = found;
        // Not without something to close: it would stop the turn.
        const opened = page.locator("[role=dialog]:visible, [role=menu]:visible");
        if ((await opened.count()) > 0) await page.keyboard.press("Escape");
        await expect.poll(() => opened.count(), PATIENT).toBe(0);
      }
      expect(barriers).toEqual({});
    });
  }

  test("of what is there before the page: a token, an invitation, access that ended", async () => {
    const { page } = await follow(`${daemon.origin}/`);
    await page.getByLabel("Link", { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`${daemon.origin}/#/join/nothing`);
    await page.getByLabel("Your name").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const ended = await follow(`${daemon.origin}/#token=itk_0123456789abcdef_none`);
    await ended.page.getByRole("heading").first().waitFor();
    expect(await findBarriers(ended.page)).toEqual([]);
  });
});
