/** How the page looks with several people at it: pictures for people to look at, and what a program can see of them. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { invite, joinAs, openInvitations } from "./invited-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, PATIENT, send, showSession, untilStatus, type Watched } from "./watched-page.ts";

describePage("pictures of several people", {}, ({ daemon, show, follow }) => {
  let owner: Watched;

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    await daemon.createSession("tiles", { title: "Add tile caching to the renderer" });
    owner = await show("tiles");
  });

  async function shoot(page: Page, name: string): Promise<void> {
    await settled(page);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    expect(await flaws(page), name).toEqual([]);
  }

  test.each(LOOKS)("a guest joins, takes part, and loses access: $name", async ({ name, options }) => {
    const link = await invite(owner.page, "Participant");
    const guest = await follow(link, options);
    const { page } = guest;
    await page.getByLabel("Your name").fill("Grace Hopper");
    await shoot(page, `join-${name}`);
    await joinAs(page, "Grace Hopper");
    await expect.poll(() => page.locator("[data-watchers]").count(), PATIENT).toBe(1);
    await send(page, "Please cache rendered tiles on disk and note it in the docs.");
    await page.getByText("Only the owner or an operator can answer.").waitFor();
    await shoot(page, `participant-${name}`);
    await page.locator("[data-watchers]").click();
    await shoot(page, `watchers-${name}`);
    await page.keyboard.press("Escape");

    const host = await show("tiles", options);
    await expect.poll(() => host.page.locator("[data-watchers]").count(), PATIENT).toBe(1);
    await shoot(host.page, `host-${name}`);
    await openInvitations(host.page);
    await host.page.getByRole("button", { name: "Make a link" }).click();
    await host.page.getByLabel("Link", { exact: true }).waitFor();
    await shoot(host.page, `invite-${name}`);
    await host.page.getByRole("button", { name: "End access" }).first().click();
    await page.getByRole("heading", { name: "Your access has ended" }).waitFor();
    await shoot(page, `ended-${name}`);

    const observer = await follow(await invite(owner.page, "Observer"), options);
    await joinAs(observer.page, "Ben");
    await observer.page.getByText("You watch as observer.").waitFor();
    await shoot(observer.page, `observer-${name}`);
    const second = await follow(link, options);
    await second.page.getByLabel("Your name").fill("Too late");
    await second.page.keyboard.press("Enter");
    await second.page.getByRole("heading", { name: "This invitation" }).waitFor();
    await shoot(second.page, `late-${name}`);
    expectNoWrongs(owner, host, guest, observer, second);
    for (const watched of [host, guest, observer, second]) await watched.page.context().close();
    await daemon.call("POST", "/v1/sessions/tiles/interrupt", {});
    await untilStatus(owner.page, "idle");
    await showSession(owner.page, "tiles");
  });
});
