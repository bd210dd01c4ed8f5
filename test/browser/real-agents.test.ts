/** Real agents on the page: a file is written with a person's permission, its change is shown, and it goes back. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
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

  test("an edit of line 150 is shown at line 150", async () => {
    await using world = await CLAUDE.world({
      scripts: (project) => {
        const file_path = join(project, "a.txt");
        const edit = (old_string: string, new_string: string) =>
          toolCall("Edit", { file_path, old_string, new_string });
        return {
          edit: [
            [toolCall("Read", { file_path })],
            [edit("const a = 150;", "const a = 151;")],
            [text("It is edited.")],
          ],
        };
      },
    });
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
    lines[149] = "  const a = 150;";
    writeFileSync(join(world.project, "a.txt"), lines.join("\n"));
    const session = await world.session(CLAUDE.sessions.asking);
    const watched = await follow(`${world.url}/#token=${TOKEN}`);
    const { page } = watched;
    await showSession(page, session.id);
    await send(page, "Edit it, please. [[edit]]");
    const card = page.locator("main section[data-ask]").first();
    await card.locator("[data-edit]").waitFor();
    await card.locator("[data-edit] tbody").getByText("line 147").waitFor();
    const rows = await card.locator("[data-edit] tbody tr").allTextContents();
    expect(rows).toEqual([
      ...["147 line 147", "148 line 148", "149 line 149"],
      ...["150−  const a = 150;", "150+  const a = 151;"],
      ...["151 line 151", "152 line 152", "153 line 153"],
    ]);
    await card.getByRole("button", { name: "Allow" }).click();
    await untilSaid(page, "It is edited.");
    expectNoWrongs(watched);
  });
});
