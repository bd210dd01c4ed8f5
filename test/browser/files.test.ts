/** The files of a session on the page: what turns changed, and the way back, as they are on the disk. */
import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { until } from "../../src/testkit/until.ts";
import { describePage } from "./describe-page.ts";
import { FOLDER, settled } from "./looks.ts";
import { expectNoWrongs, send, untilStatus, type Watched } from "./watched-page.ts";

describePage("files", {}, ({ daemon, visit, follow }) => {
  let number = 0;
  let session = "";

  beforeEach(() => {
    number += 1;
    session = `files-${number}`;
  });

  const written = () => join(daemon.project, session, "mock-written.txt");
  const byShell = () => join(daemon.project, session, "mock-by-shell.txt");

  /** A session in a directory of its own whose agent has written its files so often. */
  async function write(turns: number): Promise<void> {
    await mkdir(join(daemon.project, session));
    await daemon.createSession(session, {
      cwd: join(daemon.project, session),
      title: "Write some files",
      options: { pace: 0 },
    });
    for (let turn = 1; turn <= turns; turn += 1) {
      await daemon.prompt(session, `Write the files, round ${turn}. (scenario:files)`);
      await daemon.until(session, "idle");
    }
  }

  async function show(watched: Promise<Watched>, path = `${session}/files`): Promise<Watched> {
    const { page } = await watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `/sessions/${path}`);
    return watched;
  }

  const panel = (page: Page) => page.getByRole("complementary", { name: "Files" });

  /** A note over the page; a screen reader gets a copy of it. */
  const untilTold = (page: Page, text: string) => page.locator("[data-toast]", { hasText: text }).waitFor();

  async function openTimeLine(page: Page): Promise<Locator> {
    await panel(page).getByRole("tab", { name: "Timeline" }).click();
    const entries = panel(page).getByRole("list", { name: "Timeline" }).locator("[data-entry]");
    await entries.first().waitFor();
    return entries;
  }

  test("shows what changed in sum, accepts it, and still shows the whole session", async () => {
    await write(1);
    const watched = await show(visit());
    const { page } = watched;
    await panel(page).getByText("2 files").waitFor();
    expect(await panel(page).locator("[data-edit]").count()).toBe(2);
    await panel(page).locator("[data-edit='mock-written.txt']").getByText("line 1").waitFor();
    await panel(page).getByRole("button", { name: "Accept all" }).click();
    await panel(page).getByText("Everything is accepted.").waitFor();
    await panel(page).getByLabel("Which changes").selectOption({ label: "Whole session" });
    await panel(page).locator("[data-edit='mock-by-shell.txt']").waitFor();

    await daemon.prompt(session, "Once more. (scenario:files)");
    await daemon.until(session, "idle");
    await panel(page).getByLabel("Which changes").selectOption({ label: "Not accepted yet" });
    await panel(page).getByText("+2").waitFor();
    await panel(page).getByRole("button", { name: "Undo all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put back 2 files" }).click();
    await untilTold(page, "Undone in 2 files.");
    expect(await readFile(written(), "utf8")).toBe("line 1\n");
    await panel(page).getByText("Everything is accepted.").waitFor();
    expectNoWrongs(watched);
  });

  test("goes back on the time line after a preview, and the way back is undone", async () => {
    await write(2);
    const watched = await show(visit());
    const { page } = watched;
    const entries = await openTimeLine(page);
    await entries.getByText("round 2").waitFor();
    expect(await entries.evaluateAll((all) => all.map((each) => each.getAttribute("data-entry")))).toEqual([
      "turn",
      "turn",
      "created",
    ]);
    const first = entries.nth(1);
    await first.getByRole("button", { name: "2 files" }).click();
    await first.locator("[data-edit='mock-written.txt']").waitFor();

    await first.getByRole("button", { name: "Restore to before this" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore to before this turn?" });
    await dialog.locator("[data-preview]").getByText("2 files go back:").waitFor();
    expect(await readFile(written(), "utf8")).toBe("line 1\nline 2\n");
    await dialog.getByRole("button", { name: "Delete 2 files" }).click();
    await untilTold(page, "Undone in 2 files.");
    expect([existsSync(written()), existsSync(byShell())]).toEqual([false, false]);

    await page.locator("[data-toast]").getByRole("button", { name: "Bring back" }).click();
    await untilTold(page, "Brought back 2 files.");
    // Only what happened last can be taken back here.
    expect(await page.locator("[data-toast]").count()).toBe(1);
    await until(() => existsSync(byShell()));
    expect(await readFile(written(), "utf8")).toBe("line 1\nline 2\n");

    // The restore that undid the first is itself undone from the time line.
    await entries.nth(1).getByText("Undone in 2 files, by you").waitFor();
    await entries.first().getByText("Brought back 2 files, by you").waitFor();
    await entries.first().getByRole("button", { name: "Undo again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 2 files" }).click();
    await until(() => !existsSync(byShell()));
    expectNoWrongs(watched);
  });

  test("what somebody else changed too is left alone, or overwritten when that is said", async () => {
    await write(1);
    await appendFile(written(), "mine\n");
    const watched = await show(visit());
    const { page } = watched;
    const entries = await openTimeLine(page);
    await entries.first().getByRole("button", { name: "Undo this turn" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo this turn?" });
    await dialog.locator("[data-conflicts]").getByText("mock-written.txt").waitFor();
    await dialog.getByText("1 file goes back:").waitFor();
    expect(await dialog.getByRole("radio", { name: "Leave it as it is" }).isChecked()).toBe(true);
    await dialog.getByRole("button", { name: "Delete 1 file", exact: true }).click();
    await untilTold(page, "Undone in 1 file, 1 file left alone.");
    expect(await readFile(written(), "utf8")).toBe("line 1\nmine\n");
    expect(existsSync(byShell())).toBe(false);

    await entries.nth(1).getByRole("button", { name: "Restore to before this" }).click();
    const again = page.getByRole("dialog", { name: "Restore to before this turn?" });
    await again.getByRole("radio", { name: "Overwrite it" }).check();
    await again.getByRole("button", { name: "Delete 1 file", exact: true }).click();
    await until(() => !existsSync(written()));
    expectNoWrongs(watched);
  });

  test("a file that changed after the preview is not lost", async () => {
    await write(1);
    const watched = await show(visit());
    const { page } = watched;
    const entries = await openTimeLine(page);
    await entries.first().getByRole("button", { name: "Undo this turn" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 files go back:").waitFor();
    await appendFile(written(), "mine\n");
    await dialog.getByRole("button", { name: "Delete 2 files" }).click();
    await dialog.getByText("Files changed since the preview.").waitFor();
    await dialog.locator("[data-conflicts]").getByText("mock-written.txt").waitFor();
    expect(await readFile(written(), "utf8")).toBe("line 1\nmine\n");
    expectNoWrongs(watched);
  });

  test("one file goes back alone", async () => {
    await write(1);
    const watched = await show(visit());
    const { page } = watched;
    await panel(page).getByRole("button", { name: "Undo mock-by-shell.txt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 1 file", exact: true }).click();
    await untilTold(page, "Undone in 1 file.");
    expect([existsSync(written()), existsSync(byShell())]).toEqual([true, false]);
    expectNoWrongs(watched);
  });

  test("a turn is undone below its answer, and the conversation goes back with it when that is said", async () => {
    await write(1);
    const watched = await show(visit(), session);
    const { page } = watched;
    await send(page, "Write them again. (scenario:files)");
    await page.locator("[data-undo-turn]").nth(1).waitFor();
    await page.locator("[data-undo-turn]").nth(1).click();
    const dialog = page.getByRole("dialog", { name: "Undo this turn?" });
    await dialog.getByText("Take the conversation back too").click();
    await dialog.getByRole("button", { name: "Put back 2 files" }).click();
    await untilTold(page, "Undone in 2 files, the conversation too.");
    expect(await readFile(written(), "utf8")).toBe("line 1\n");
    await until(async () => (await page.locator("[data-role=user]").count()) === 1);
    // Its undo is of no use elsewhere.
    await page.evaluate(() => {
      location.hash = "/";
    });
    await page.locator("[data-toast]").waitFor({ state: "detached", timeout: 5000 });
    expectNoWrongs(watched);
  });

  test("a turn that was undone says so on every device, until it is brought back", async () => {
    await write(1);
    const watched = await show(visit(), session);
    const { page } = watched;
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const other = await show(visit(phone), session);
    await other.page.locator("[data-undo-turn]").waitFor();
    await page.locator("[data-undo-turn]").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 2 files" }).click();
    for (const each of [page, other.page]) {
      await each
        .locator("[data-went-back]", { hasText: /Files of this turn went back, .*, by you/ })
        .waitFor();
      await each.locator("[data-undone]").nth(1).waitFor();
      await each.locator("[data-call] [data-undone-counts]").waitFor();
      expect(await each.locator("[data-undo-turn]").count()).toBe(0);
      await settled(each);
      await mkdir(FOLDER, { recursive: true });
      await each.screenshot({ path: join(FOLDER, each === page ? "undone.png" : "undone-phone.png") });
    }
    await other.page.getByRole("button", { name: "Bring back" }).click();
    await other.page.getByRole("dialog").getByRole("button", { name: "Put back 2 files" }).click();
    for (const each of [page, other.page]) {
      await each.locator("[data-undo-turn]").waitFor();
      await each.locator("[data-undone]").first().waitFor({ state: "detached" });
    }
    expect(existsSync(written())).toBe(true);

    // One file alone.
    await daemon.call("POST", `/v1/sessions/${session}/reset`, { paths: ["mock-by-shell.txt"] });
    await page.locator("[data-went-back]", { hasText: "1 file went back" }).waitFor();
    expect(await page.locator("[data-undone]").count()).toBe(1);
    expect(await page.locator("[data-undo-turn]").count()).toBe(1);
    expectNoWrongs(watched, other);
  });

  test("nothing goes back while the agent works, and an observer is offered nothing", async () => {
    await write(1);
    const { token } = await daemon.call<{ token: string }>("POST", "/v1/tokens", {
      name: "observer",
      role: "observer",
    });
    const observer = await show(follow(`${daemon.origin}/#token=${token}`));
    await panel(observer.page).locator("[data-edit='mock-written.txt']").waitFor();
    expect(
      await panel(observer.page)
        .getByRole("button", { name: /Undo|Accept/ })
        .count(),
    ).toBe(0);
    expect(await observer.page.locator("[data-undo-turn]").count()).toBe(0);

    const watched = await show(visit());
    await daemon.prompt(session, "scenario:hang");
    await untilStatus(watched.page, "running");
    const entries = await openTimeLine(watched.page);
    await entries.getByText("Running").waitFor();
    expect(await entries.getByRole("button", { name: /Undo|Back/ }).count()).toBe(0);
    await watched.page.locator("[data-undo-turn]").click();
    const dialog = watched.page.getByRole("dialog");
    await dialog.getByText("This session works. Files can go back when its turn has ended.").waitFor();
    await dialog.getByRole("button", { name: "Stop its turn and go on" }).click();
    await dialog.getByRole("button", { name: /^(?:Delete|Put back) \d+/ }).waitFor();
    await watched.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    // Another session in the same directory: the dialog says which, and leads there.
    const other = `${session}-beside`;
    await daemon.createSession(other, { cwd: join(daemon.project, session), title: "Rework the parser" });
    await daemon.prompt(other, "scenario:approve");
    await daemon.until(other, "waiting");
    await watched.page.locator("[data-undo-turn]").first().click();
    await dialog.getByText(/^Rework the parser waits for your answer in [\w-]+\./).waitFor();
    expect(await dialog.getByRole("button", { name: /Go back|Restore/ }).count()).toBe(0);
    await settled(watched.page);
    await mkdir(FOLDER, { recursive: true });
    await watched.page.screenshot({ path: join(FOLDER, "undo-busy.png") });
    await dialog.getByRole("button", { name: "Open it" }).click();
    await untilStatus(watched.page, "waiting");
    expect(watched.page.url()).toContain(other);
    expectNoWrongs(observer, watched);
  });

  test("on a phone it lies over the conversation, and closes with back", async () => {
    await write(1);
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const watched = await show(visit(phone), session);
    const { page } = watched;
    await page.getByRole("link", { name: "Files and history" }).click();
    await page.getByRole("dialog", { name: "Files" }).locator("[data-edit='mock-written.txt']").waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("its width is moved with the arrow keys and stays after a reload", async () => {
    await write(0);
    const watched = await show(visit());
    const { page } = watched;
    await panel(page).getByText("No file was changed yet.").waitFor();
    const edge = page.getByRole("separator", { name: "Width of the panel" });
    const before = Number(await edge.getAttribute("aria-valuenow"));
    await edge.focus();
    await page.keyboard.press("ArrowLeft");
    expect(Number(await edge.getAttribute("aria-valuenow"))).toBe(before + 32);
    await page.reload();
    await edge.waitFor();
    expect(Number(await edge.getAttribute("aria-valuenow"))).toBe(before + 32);
    expectNoWrongs(watched);
  });
});
