/** Work handed to a phone: by a QR code that gives it an access of its own, and to others by an invitation. */
import type { Page } from "playwright-core";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { openInvitations } from "./invited-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, untilSaid } from "./watched-page.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** What a camera would see: the modules that are dark, row by row. */
async function seen(page: Page): Promise<boolean[][]> {
  const { size, path } = await page.getByRole("img", { name: "QR code of the link" }).evaluate((svg) => ({
    size: Number(svg.getAttribute("viewBox")!.split(" ")[2]),
    path: svg.querySelector("path")!.getAttribute("d")!,
  }));
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let at = Number(x); at < Number(x) + Number(length); at += 1) rows[Number(y)]![at] = true;
  return rows;
}

describePage(
  "a daemon with a name",
  { allowHosts: ["box.example.com"] },
  ({ daemon, open, follow, visit }) => {
    /** Where the proxy would lead. */
    const here = (link: string) => link.replace("https://box.example.com", daemon.origin);

    test("a phone scans the code, is in the session without typing, answers a permission there, and stays signed in", async () => {
      const owner = await open("handed", { title: "Handed over" });
      await daemon.prompt("handed", "scenario:approve");
      await daemon.until("handed", "waiting");
      await owner.page.locator("#composer").blur();
      await owner.page.keyboard.press("Control+k");
      await owner.page.keyboard.type("phone");
      await owner.page.getByRole("option", { name: "Open on my phone" }).waitFor();
      await owner.page.getByRole("option", { name: "Open on my phone" }).waitFor();
      await owner.page.keyboard.press("Enter");
      const dialog = owner.page.getByRole("dialog", { name: "Open on my phone" });
      await dialog.getByRole("button", { name: "Show the code" }).waitFor();
      await owner.page.keyboard.press("Enter");
      const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
      expect(link).toMatch(/^https:\/\/box\.example\.com\/#token=itk_[\w-]+&session=handed&stay=yes$/);
      expect(await seen(owner.page)).toEqual(encode(link, { ecc: "M", border: 4 }).data);

      const phone = await follow(here(link), PHONE);
      await phone.page.getByRole("heading", { name: "Handed over" }).waitFor();
      expect(phone.page.url()).toBe(`${daemon.origin}/#/sessions/handed`);
      await phone.page.getByRole("button", { name: "Allow", exact: true }).first().tap();
      await untilSaid(owner.page, "passed-30");
      // All tabs are closed; the next one needs no code.
      const next = await phone.page.context().newPage();
      await phone.page.close();
      await next.goto(`${daemon.origin}/#/sessions/handed`);
      await next.waitForSelector("#composer");

      await dialog.getByRole("button", { name: "End access: Phone" }).click();
      await next.getByRole("heading", { name: "Your access has ended" }).waitFor();
      expect(
        await next.evaluate(() => [localStorage.length, sessionStorage.getItem("interlingua.token")]),
      ).toEqual([0, null]);
      await dialog.getByText("Phones with access").waitFor({ state: "detached" });
      expectNoWrongs(owner, phone);
    });

    test("a code that nobody scanned is replaced by the next one, and a phone that was used is not", async () => {
      const owner = await open("replaced", { title: "Replaced" });
      const dialog = owner.page.getByRole("dialog", { name: "Open on my phone" });
      const unused = dialog.getByRole("region", { name: "Not used yet" });
      const used = dialog.getByRole("region", { name: "Phones with access" });
      async function showCode(): Promise<string> {
        await owner.page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await owner.page.getByRole("button", { name: "Open on my phone" }).click();
        await dialog.getByRole("button", { name: "Show the code" }).click();
        return dialog.getByLabel("Link", { exact: true }).inputValue();
      }
      const first = await showCode();
      const second = await showCode();
      expect(second).not.toBe(first);
      expect(await unused.getByRole("listitem").count()).toBe(1);
      await unused.getByText("Phone", { exact: true }).waitFor();
      const authorization = `Bearer ${/#token=([^&]+)/.exec(first)![1]}`;
      expect((await fetch(`${daemon.origin}/v1/me`, { headers: { authorization } })).status).toBe(401);
      const phone = await follow(here(second), PHONE);
      await phone.page.getByRole("heading", { name: "Replaced" }).waitFor();
      await showCode();
      expect(await used.getByRole("listitem").count()).toBe(1);
      await used.getByText("Last used just now").waitFor();
      expect(await unused.getByRole("listitem").allInnerTexts()).toEqual([
        expect.stringMatching(/^Phone 2\n/),
      ]);
      expectNoWrongs(owner, phone);
    });

    test("an invitation has a code to scan too", async () => {
      const owner = await open("invited", { title: "Invited" });
      await openInvitations(owner.page);
      const dialog = owner.page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Make a link" }).click();
      const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
      expect(link).toMatch(/^https:\/\/box\.example\.com\/#\/join\//);
      expect(await seen(owner.page)).toEqual(encode(link, { ecc: "M", border: 4 }).data);
      expectNoWrongs(owner);
    });

    test("it looks as it should", async () => {
      await daemon.createSession("looked-at", { title: "Looked at" });
      for (const look of LOOKS) {
        const { page } = await visit(look.options);
        await page.waitForSelector("[data-connection=live]", { state: "attached" });
        await page.keyboard.press("Control+k");
        await page.keyboard.type("phone");
        await page.getByRole("option", { name: "Open on my phone" }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Show the code" }).click();
        await page.getByRole("img", { name: "QR code of the link" }).waitFor();
        await settled(page);
        await page.screenshot({ path: `${FOLDER}/phone-dialog-${look.name}.png` });
        expect(await flaws(page), look.name).toEqual([]);
        await page.context().close();
      }
    });
  },
);
