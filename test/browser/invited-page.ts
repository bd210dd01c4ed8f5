/** How somebody is invited on the page, and joins. */
import type { Page } from "playwright-core";

/** Opens the dialog in which others are invited to the open session. */
export async function openInvitations(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Session actions" }).click();
  await page.getByRole("menuitem", { name: "Invite…" }).click();
}

/** Makes an invitation to the open session, and gives its link. */
export async function invite(page: Page, role: "Participant" | "Observer"): Promise<string> {
  await openInvitations(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return link;
}

/** On a page that was opened with the link of an invitation. */
export async function joinAs(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForSelector("[data-session-status]", { state: "attached" });
}
