/** What was used, as charts, a table and a file. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Message } from "../../src/core/message.ts";
import { until } from "../../src/testkit/until.ts";
import { formatDuration } from "../../web/src/ui/format.ts";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs } from "./watched-page.ts";

describePage("usage", {}, ({ daemon, visit }) => {
  test("nothing used yet says so", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    // The field of the start has the focus, and takes letters until it is left.
    await page.locator("#start-prompt:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("u");
    await page.getByText("No turn ended in this time.").waitFor();
    expect(await page.getByRole("button", { name: "CSV" }).isDisabled()).toBe(true);
    expectNoWrongs(watched);
  });

  test("totals, the chart, the table by each key, and the file say what the daemon says", async () => {
    for (const [id, title] of [
      ["figures", "Summarize the figures"],
      ["importer", "Migrate the importer"],
    ] as const) {
      await daemon.createSession(id, { title });
      for (const scenario of ["rich", "approve"]) {
        await daemon.prompt(id, `scenario:${scenario}`);
        await daemon.until(id, "idle", "waiting");
      }
      const { asks } = await daemon.call<{ asks: { ask: string }[] }>("GET", `/v1/asks?session=${id}`);
      const askedAt = Date.now();
      // Long enough to be worth a word.
      await until(() => Date.now() > askedAt + 1000);
      const reply = id === "figures" ? "once" : "reject";
      await daemon.call("POST", `/v1/sessions/${id}/asks/${asks[0]!.ask}/reply`, { reply });
      await daemon.until(id, "idle");
    }
    const { total } = await daemon.call<{ total: { turns: number; durationMs: number; waitedMs: number } }>(
      "GET",
      "/v1/usage",
    );
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    await page.getByRole("link", { name: "Usage and cost" }).click();
    const table = page.getByRole("table");
    await table.getByRole("row", { name: /Mock/ }).waitFor();
    expect(
      await page.getByRole("term").filter({ hasText: "Turns" }).locator("xpath=..").textContent(),
    ).toContain(String(total.turns));
    await page.getByText("1 allowed, 1 denied").waitFor();
    // All of it is the mock's: play money, which is told apart and adds up to nothing.
    const cost = page.getByRole("term").filter({ hasText: "Cost" }).locator("xpath=..");
    expect(await cost.textContent()).toMatch(/^Cost\$0without \$0\.\d+ of play money$/);
    const cell = table.getByRole("row", { name: /Mock/ }).locator("[data-play-money]");
    expect(await cell.textContent()).toMatch(/^\$0\.\d+play money$/);
    await page.screenshot({ path: `${FOLDER}/play-money-usage.png` });
    const worked = formatDuration(total.durationMs - total.waitedMs);
    const waited = `waited ${formatDuration(total.waitedMs)} for you`;
    const tile = page.getByRole("term").filter({ hasText: "Agents at work" }).locator("xpath=..");
    expect(await tile.textContent()).toBe(`Agents at work${worked}${waited}`);
    await page.getByRole("button", { name: "Session", exact: true }).click();
    await table.getByRole("link", { name: "Summarize the figures" }).waitFor();
    expect(await table.getByRole("row").count()).toBe(3);
    for (const key of ["Model", "Directory"]) {
      await page.getByRole("button", { name: key, exact: true }).click();
      await table.getByRole("columnheader", { name: key }).waitFor();
    }
    await table.getByText("atlas").waitFor();
    // Keys read the days of the chart.
    await page.getByRole("button", { name: "Turns", exact: true }).click();
    const chart = page.getByRole("slider", { name: "By day" });
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await chart.getAttribute("aria-valuetext")).toContain(`: ${total.turns}, atlas ${total.turns}`);

    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^usage-by-directory-\d{4}-\d\d-\d\d\.csv$/);
    const [header, ...rows] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(header).toBe(
      "day,directory,cost,input,output,turns,durationMs,waitedMs,tools,asks,allowed,denied,playCost",
    );
    expect(rows.reduce((sum, row) => sum + Number(row.split(",")[5]), 0)).toBe(total.turns);

    await page.getByRole("button", { name: "Session", exact: true }).click();
    await table.getByRole("link", { name: "Summarize the figures" }).click();
    await page.waitForSelector("#composer");
    const { messages } = await daemon.call<{ messages: Pick<Message, "metadata">[] }>(
      "GET",
      "/v1/sessions/figures/messages",
    );
    const { durationMs = 0, waitedMs = 0 } = messages.at(-1)!.metadata;
    const footer = page.locator("[data-part=usage]").last();
    expect(await footer.textContent()).toContain(
      `${formatDuration(durationMs - waitedMs)} · waited ${formatDuration(waitedMs)} for you`,
    );
    expect(await footer.textContent()).toMatch(/· \$0\.\d+ play money$/);
    await page.screenshot({ path: `${FOLDER}/play-money-answer.png` });
    // Below the first answer nobody is awaited.
    expect(await page.locator("[data-part=usage]", { hasText: "waited" }).count()).toBe(1);
    expectNoWrongs(watched);
  });

  test("it looks as it should", async () => {
    // As after a month with several agents.
    const agents = ["claude", "codex", "opencode", "gemini", "amp", "mock", "qwen", "goose"];
    const rows = Array.from({ length: 30 }, (_, back) => new Date(Date.now() - back * 86_400_000))
      .filter((day) => day.getUTCDay() % 6 !== 0)
      .flatMap((day, index) =>
        agents.slice(0, 3 + (index % 6)).map((agent, place) => {
          const amount = ((index * 7 + place * 5) % 11) + 12 / (place + 1);
          return {
            day: day.toISOString().slice(0, 10),
            agent,
            usage: { input: Math.round(amount * 40_000), output: Math.round(amount * 2500) },
            cost: amount * 0.21,
            turns: Math.round(amount * 2),
            durationMs: Math.round(amount * 190_000),
            waitedMs: Math.round(amount * 61_000),
            ...{ tools: Math.round(amount * 9), asks: 4, allowed: 3, denied: 1 },
          };
        }),
      );
    for (const look of LOOKS) {
      const { page } = await visit(look.options);
      await page.route("**/v1/usage?**", (route) =>
        route.fulfill({ json: { rows, total: rows[0], hasMore: false } }),
      );
      await page.waitForSelector("[data-connection=live]", { state: "attached" });
      await page.evaluate(() => {
        location.hash = "/usage";
      });
      await page.getByRole("row", { name: /Claude Code/ }).waitFor();
      await settled(page);
      // No number is cut in the middle, and that there are more is seen until the last one is.
      const cut = await page.getByRole("region", { name: "Table" }).evaluate((table) => {
        const edge = table.getBoundingClientRect().right;
        const cells = [...table.querySelectorAll("thead th")].map((cell) => cell.getBoundingClientRect());
        return cells.filter(({ left, right }) => left < edge - 1 && right > edge + 1).length;
      });
      expect(cut, look.name).toBe(0);
      const more = page.locator("[data-more]");
      const isNarrow = look.options.viewport.width < 1280;
      expect(await more.count(), look.name).toBe(isNarrow ? 1 : 0);
      const labels = await page
        .locator("figure text")
        .evaluateAll((all) =>
          all.map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right]),
        );
      for (const [index, [left]] of labels.entries())
        if (index > 0) expect(left! - labels[index - 1]![1]!, look.name).toBeGreaterThan(12);
      await page.screenshot({ path: `${FOLDER}/usage-${look.name}.png` });
      if (isNarrow) {
        await page.getByRole("region", { name: "Table" }).evaluate((table) => table.scrollTo({ left: 9999 }));
        await more.waitFor({ state: "detached" });
      }
      expect(await flaws(page), look.name).toEqual([]);
      await page.context().close();
    }
  });
});
