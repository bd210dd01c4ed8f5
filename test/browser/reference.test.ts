/** The reference at /docs, in a real browser: readable in every look, without a token, under the policy of the page. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS } from "./looks.ts";
import { expectNoWrongs } from "./watched-page.ts";

describePage("the reference", {}, ({ daemon, visit }) => {
  test.each(LOOKS)("in $name", async ({ name, options }) => {
    await mkdir(FOLDER, { recursive: true });
    const watched = await visit(options);
    const { page } = watched;
    // Without the fragment: nobody gave it a token.
    await page.goto(`${daemon.origin}/docs`);
    await page.screenshot({ path: join(FOLDER, `reference-${name}.png`) });
    expect(await flaws(page)).toEqual([]);

    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const lightness = Number(/oklch\(([\d.]+)/.exec(background)?.[1]);
    expect(lightness > 0.5).toBe(options.colorScheme === "light");

    await page.getByRole("link", { name: "POST /v1/sessions", exact: true }).first().click();
    const article = page.locator("#createSession");
    await article.getByText("Answers").waitFor();
    await article.getByRole("link", { name: "CreateSession" }).click();
    await page.locator("#schema-CreateSession").getByText("permissionMode").waitFor();
    expect(new URL(page.url()).hash).toBe("#schema-CreateSession");
    await page.screenshot({ path: join(FOLDER, `reference-schema-${name}.png`) });

    // Everything that can be opened is open, and still nothing sticks out.
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    expect(await flaws(page)).toEqual([]);
    await page.locator("#listSessions").scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(FOLDER, `reference-open-${name}.png`) });
    expectNoWrongs(watched);
  });
});
