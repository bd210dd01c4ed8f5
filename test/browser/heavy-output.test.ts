/** However much an agent says and however it is nested, the page shows it, and goes on taking prompts. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, send, showSession, untilSaid, untilStatus } from "./watched-page.ts";

const HEAVY: readonly { symptom: string; text: string }[] = [
  { symptom: "2 kB of quotes leave the page empty", text: ">".repeat(2000) },
  { symptom: "open emphasis freezes the page", text: "*a".repeat(50_000) },
  {
    symptom: "a list of 1,000 levels freezes the page",
    text: Array.from({ length: 1000 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
  },
  { symptom: "nested pictures freeze the page", text: `${"![".repeat(2000)}a${"](b)".repeat(2000)}` },
  {
    symptom: "a table of 400,000 cells freezes the page",
    text: `${"|a".repeat(200)}\n${"|-".repeat(200)}\n${"|b\n".repeat(2000)}`,
  },
  { symptom: "one line of a megabyte freezes the page", text: "a".repeat(1_000_000) },
  { symptom: "100,000 lines freeze the page", text: "a\n".repeat(100_000) },
  { symptom: "a letter with 100,000 accents freezes the page", text: `a${"\u0301".repeat(100_000)}` },
  { symptom: "text that turns direction 100,000 times", text: "\u202e\u05d0\u202da".repeat(25_000) },
];

describePage("heavy output", {}, ({ daemon, visit, show }) => {
  function elements(page: Page): Promise<number> {
    return page.evaluate(() => document.querySelectorAll("*").length);
  }

  test.each(HEAVY)("$symptom", async ({ text }) => {
    const session = `heavy-${HEAVY.findIndex((heavy) => heavy.text === text)}`;
    await daemon.createSession(session);
    await daemon.prompt(session, `${text}\n\nthe end of it, scenario:echo`);
    await daemon.until(session, "idle");
    const watched = await show(session);
    const { page } = watched;
    await page.locator("[data-role=assistant]", { hasText: "the end of it" }).waitFor();
    expect(await elements(page)).toBeLessThan(25_000);
    // It goes on, and the next opening is no different.
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    await page.reload();
    await page.locator("[data-role=assistant]", { hasText: "the end of it" }).waitFor();
    expect(await page.locator("[data-fault]").count()).toBe(0);
    expectNoWrongs(watched);
    await page.context().close();
  });

  test("two megabytes that stream leave the page usable, and all of it can be seen", {
    timeout: 240_000,
  }, async () => {
    await daemon.createSession("streaming");
    const watched = await show("streaming");
    const { page } = watched;
    await send(page, "scenario:burst:300000");
    // It takes a prompt while it streams, and stays small.
    await page.locator("[data-role=assistant] [data-part=text]").first().waitFor();
    await send(page, "scenario:echo it took this meanwhile");
    expect(await elements(page)).toBeLessThan(25_000);
    await page
      .locator("[data-role=assistant]", { hasText: "it took this meanwhile" })
      .waitFor({ timeout: 200_000 });
    await untilStatus(page, "idle");
    expect(await elements(page)).toBeLessThan(25_000);
    const answer = page.locator("[data-role=assistant]").first();
    const before = (await answer.textContent())?.length ?? 0;
    await expect
      .poll(async () => {
        // While rows are measured they may move between press and release, which is no click then.
        await answer.locator("[data-more]").first().click();
        return (await answer.textContent())?.length ?? 0;
      }, PATIENT)
      .toBeGreaterThan(before);
    expectNoWrongs(watched);
  });

  test("a part the page has no way to show leaves the rest of it in place", async () => {
    await daemon.createSession("broken");
    await daemon.prompt("broken", "scenario:text");
    await daemon.until("broken", "idle");
    const watched = await visit();
    const { page } = watched;
    let parts: object[] = [
      { type: "data-notice", data: { level: "of another world", text: "what it says" } },
      { type: "data-subagent", data: { part: null } },
    ];
    await page.route("**/api/chat/broken/messages?*", async (route) => {
      const response = await route.fetch();
      const page = (await response.json()) as { messages: { role: string; parts: object[] }[] };
      page.messages.at(-1)!.parts.push(...parts);
      await route.fulfill({ response, json: page });
    });
    await showSession(page, "broken");
    // The message as a whole, since even its parts cannot be told.
    await page.locator("[data-fault='This message']", { hasText: "Hello from the mock agent." }).waitFor();
    await page.getByRole("button", { name: "Copy this message" }).waitFor();
    parts = parts.slice(0, 1);
    await page.reload();
    await page.locator("[data-fault='This part']", { hasText: "what it says" }).waitFor();
    await untilSaid(page, "Hello from the mock agent.");
    expect(await page.locator("[data-fault]").count()).toBe(1);
    // With other content it is tried again.
    parts = [];
    await send(page, "scenario:echo and on");
    await page.locator("[data-role=assistant]", { hasText: "and on" }).waitFor();
    await page.locator("[data-fault]").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });
});
