/** Several people at one session: invitations, what each role can do on the page, and who watches. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { invite, joinAs, openInvitations } from "./invited-page.ts";
import { expectNoWrongs, PATIENT, send, untilSaid, untilStatus, type Watched } from "./watched-page.ts";

describePage("several people", {}, ({ daemon, open, follow }) => {
  /** Follows the link in a browser context of its own. */
  async function join(link: string, name: string): Promise<Watched> {
    const watched = await follow(link);
    await joinAs(watched.page, name);
    return watched;
  }

  function watchers(page: Page): Promise<string | null> {
    return page.locator("[data-watchers]").getAttribute("aria-label");
  }

  test("whoever is invited joins, prompts, and both see it, who said it and who watches", async () => {
    const owner = await open("shared", { title: "Shared" });
    const link = await invite(owner.page, "Participant");
    expect(link).toMatch(new RegExp(`^${daemon.origin}/#/join/[\\w-]+$`));
    const ada = await join(link, "Ada");
    expect(ada.page.url()).toBe(`${daemon.origin}/#/sessions/shared`);
    expect(await ada.page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    await expect.poll(() => watchers(owner.page), PATIENT).toContain("Ada, participant");
    await expect.poll(() => watchers(ada.page), PATIENT).toContain("Ada, you, participant");
    expect(await watchers(ada.page)).toContain("2 watching: the owner; Ada, you");

    await send(ada.page, "scenario:text");
    await untilStatus(owner.page, "idle");
    await untilSaid(owner.page, "scenario:text");
    await owner.page.getByRole("article", { name: "Ada", exact: true }).waitFor();
    await ada.page.getByRole("article", { name: "You" }).waitFor();
    // It is named after its first prompt by whoever may change its title.
    await owner.page.getByRole("button", { name: "2 watching" }).click();
    await owner.page.getByRole("dialog", { name: "Who watches" }).getByText("Ada", { exact: true }).waitFor();
    await owner.page.keyboard.press("Escape");
    await ada.page.close();
    await expect.poll(() => owner.page.locator("[data-watchers]").count(), PATIENT).toBe(0);
    expectNoWrongs(owner, ada);
  });

  test("a participant sees who answered the permission, and can neither answer, stop nor change anything", async () => {
    const owner = await open("asked");
    const ada = await join(await invite(owner.page, "Participant"), "Ada of asked");
    await send(ada.page, "scenario:approve");
    await ada.page.getByText("Only the owner or an operator can answer.").waitFor();
    expect(await ada.page.getByRole("button", { name: "Allow" }).count()).toBe(0);
    for (const name of ["Session actions", "New session", "Stop the turn"])
      expect(await ada.page.getByRole("button", { name }).count(), name).toBe(0);
    await ada.page.getByRole("button", { name: "No open asks" }).waitFor();
    expect(await ada.page.locator("footer select").count()).toBe(0);
    // Escape stops nothing, and n makes nothing.
    await ada.page.locator("#composer").blur();
    await ada.page.keyboard.press("Escape");
    await ada.page.keyboard.press("n");
    expect(await ada.page.getByRole("dialog").count()).toBe(0);

    await owner.page.getByRole("button", { name: "Allow", exact: true }).click();
    await ada.page.getByText("by the owner", { exact: true }).waitFor();
    await untilSaid(ada.page, "passed-30");
    // A question is for whoever takes part.
    await send(ada.page, "scenario:question");
    await ada.page.getByLabel("Green").check();
    await ada.page.getByRole("button", { name: "Answer" }).click();
    await owner.page.getByText("by Ada of asked").waitFor();
    expectNoWrongs(owner, ada);
  });

  test("whoever takes part changes their own waiting prompts, and sees whose the others are", async () => {
    const owner = await open("queued");
    const ada = await join(await invite(owner.page, "Participant"), "Ada of queued");
    await send(owner.page, "scenario:hang");
    await untilStatus(ada.page, "running");
    await send(owner.page, "first of the owner");
    await send(ada.page, "then mine");
    const rows = ada.page.locator("[data-queued]");
    await expect.poll(() => rows.count(), PATIENT).toBe(2);
    await rows.filter({ hasText: "first of the owner" }).getByText("by the owner", { exact: true }).waitFor();
    const mine = rows.filter({ hasText: "then mine" });
    await mine.getByRole("button", { name: "Withdraw" }).waitFor();
    expect(await ada.page.getByRole("button", { name: "Withdraw" }).count()).toBe(1);
    await mine.getByRole("button", { name: "Withdraw" }).click();
    await expect.poll(() => rows.count(), PATIENT).toBe(1);
    expectNoWrongs(owner, ada);
  });

  test("an observer sees what happens and nothing to press", async () => {
    const owner = await open("observed");
    const ben = await join(await invite(owner.page, "Observer"), "Ben");
    await ben.page.getByText("You watch as observer.").waitFor();
    expect(await ben.page.locator("#composer").count()).toBe(0);
    await send(owner.page, "scenario:question");
    await ben.page.getByText("Only those who take part can answer.").waitFor();
    expect(await ben.page.getByRole("button", { name: "Answer" }).count()).toBe(0);
    // Only this session is there.
    await expect.poll(() => ben.page.locator("aside [data-session]").count(), PATIENT).toBe(1);
    await ben.page.evaluate(() => {
      location.hash = "/sessions/asked";
    });
    await ben.page.getByText("or your access is not for it").waitFor();
    expectNoWrongs(owner, ben);
  });

  test("access that is revoked ends the open page with a sentence, also after a reload", async () => {
    const owner = await open("revoked");
    const ada = await join(await invite(owner.page, "Participant"), "Ada of revoked");
    await send(ada.page, "scenario:text");
    await untilSaid(owner.page, "scenario:text");
    await openInvitations(owner.page);
    const dialog = owner.page.getByRole("dialog");
    await dialog.getByText("Ada of revoked · participant").waitFor();
    await dialog.getByRole("button", { name: "End access" }).click();
    await dialog.getByText("Used just now").waitFor({ state: "detached" });
    await ada.page.getByRole("heading", { name: "Your access has ended" }).waitFor();
    await ada.page.getByText("Ask whoever invited you for a new link").waitFor();
    expect(await ada.page.evaluate(() => sessionStorage.getItem("interlingua.token"))).toBeNull();
    await ada.page.reload();
    await ada.page.getByRole("heading", { name: "Your access has ended" }).waitFor();
    // A new invitation in the same tab lets them in again.
    await owner.page.keyboard.press("Escape");
    const link = await invite(owner.page, "Observer");
    await ada.page.goto(link);
    await joinAs(ada.page, "Ada again");
    await ada.page.getByText("You watch as observer.").waitFor();
    expectNoWrongs(owner, ada);
  });

  test("a link that was used or revoked says so, and what to do", async () => {
    const owner = await open("used");
    const link = await invite(owner.page, "Observer");
    await join(link, "First");
    const second = await follow(link);
    await second.page.getByLabel("Your name").fill("Second");
    await second.page.getByRole("button", { name: "Join" }).click();
    await second.page.getByRole("heading", { name: "This invitation was used before" }).waitFor();
    await second.page.getByText("tell whoever invited you").waitFor();
    expect(second.page.url()).toBe(`${daemon.origin}/`);

    const unused = await invite(owner.page, "Observer");
    await openInvitations(owner.page);
    const dialog = owner.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Revoke the invitation" }).click();
    await dialog.getByText("Not used yet").waitFor({ state: "detached" });
    const third = await follow(unused);
    await third.page.getByLabel("Your name").fill("Third");
    await third.page.keyboard.press("Enter");
    await third.page.getByRole("heading", { name: "This invitation does not exist any more" }).waitFor();
    await third.page.getByRole("button", { name: "Use another link" }).click();
    await third.page.getByLabel("Link", { exact: true }).waitFor();
    expectNoWrongs(owner, second, third);
  });

  test("a bad name is refused with a sentence and can be mended; whoever has access may keep it", async () => {
    const owner = await open("named");
    const link = await invite(owner.page, "Participant");
    const guest = await follow(link);
    await guest.page.getByLabel("Your name").fill("<b>");
    await guest.page.getByRole("button", { name: "Join" }).click();
    await guest.page.getByRole("alert").waitFor();
    await guest.page.reload();
    await guest.page.getByLabel("Your name").fill("Zoë");
    await guest.page.getByRole("button", { name: "Join" }).click();
    await guest.page.waitForSelector("#composer");
    // The owner follows a link of their own, and thinks better of it.
    const own = await invite(owner.page, "Participant");
    await owner.page.goto(own);
    await owner.page.getByRole("button", { name: "Go on with the access I have" }).click();
    await owner.page.getByRole("button", { name: "New session" }).first().waitFor();
    expectNoWrongs(owner, guest);
  });

  test("the dialog says what is missing to be reached from elsewhere, and can be used by keys alone", async () => {
    const owner = await open("reached");
    const { page } = owner;
    await page.getByRole("button", { name: "Session actions" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.getByLabel("Role").evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const status = dialog.getByRole("status");
    await status.getByText("Nobody else can open it yet").waitFor();
    expect(await status.getByRole("listitem").count()).toBeGreaterThan(0);
    expect(
      await dialog.getByLabel("Link", { exact: true }).evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expectNoWrongs(owner);
  });

  test("a daemon on this machine only says what is missing for a phone, and makes no access", async () => {
    const owner = await open("alone");
    await owner.page.getByRole("button", { name: "Open on my phone" }).click();
    const dialog = owner.page.getByRole("dialog", { name: "Open on my phone" });
    const { tokens } = await daemon.call<{ tokens: [] }>("GET", "/v1/tokens");
    await dialog.getByRole("button", { name: "Show the code" }).click();
    await dialog.getByText("Your phone cannot reach this machine yet").waitFor();
    expect(await dialog.getByRole("listitem").count()).toBeGreaterThan(0);
    expect(await dialog.getByRole("img", { name: "QR code of the link" }).count()).toBe(0);
    expect(await daemon.call("GET", "/v1/tokens")).toEqual({ tokens });
    expectNoWrongs(owner);
  });
});
