/** Real agents on the page: a file is written with a person's permission, its change is shown, and it goes back. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { CLAUDE } from "../agents/claude-table.ts";
import { CODEX } from "../agents/codex-table.ts";
import { describeBrowser } from "./describe-page.ts";
import { expectNoWrongs, send, showSession, untilSaid, untilStatus } from "./watched-page.ts";

describeBrowser("the page with real agents", (follow) => {
  test.each([CLAUDE, CODEX])("$agent.name writes a file with permission, and it is undone", async (table) => {
    await using world = await table.world({
      scripts: (project) => ({ write: [[table.tools.write(project).call], [text("It is written.")]] }),
    });
    const session = await world.session(table.sessions.asking);
    const file = join(world.project, "a.txt");
    const watched = await follow(`${world.url}/#token=${TOKEN}`);
    const { page } = watched;
    await showSession(page, session.id);
    await send(page, "Write it, please. [[write]]");

    const card = page.locator("main section[data-ask]").first();
    await card.locator("[data-edit]").waitFor();
    expect((await card.locator("[data-edit]").textContent())!).toContain("a.txt");
    expect(await card.textContent()).not.toContain(world.project);
    expect(existsSync(file)).toBe(false);
    await card.getByRole("button", { name: "Allow" }).click();
    await untilSaid(page, "It is written.");
    await untilStatus(page, "idle");
    expect(readFileSync(file, "utf8")).toBe("A\n");

    await page.evaluate((id) => {
      location.hash = `/sessions/${id}/files`;
    }, session.id);
    const panel = page.getByRole("complementary", { name: "Files" });
    const edit = panel.locator("[data-edit='a.txt']");
    await edit.waitFor();
    await edit.locator("td").getByText("A", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Undo all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 1 file" }).click();
    await until(() => !existsSync(file));
    await page.locator("[data-toast]", { hasText: "Undone in 1 file." }).waitFor();
    await page.locator("[data-toast]").getByRole("button", { name: "Bring back" }).click();
    await until(() => existsSync(file));
    expect(readFileSync(file, "utf8")).toBe("A\n");
    expectNoWrongs(watched);
  });
});
