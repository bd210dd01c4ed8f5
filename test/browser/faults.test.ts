/** Faults that people met in the page, each by its symptom. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { PageDaemon } from "./page-daemon.ts";
import { expectSameTranscript } from "./transcript.ts";
import {
  expectNoWrongs,
  openPage,
  PATIENT,
  send,
  showSession,
  untilSaid,
  untilStatus,
  type Watched,
} from "./watched-page.ts";

const browser: Browser | undefined = await openBrowser();

describe.skipIf(!browser)("faults of the page", { timeout: 120_000 }, () => {
  let daemon: PageDaemon;

  beforeAll(async () => {
    // It takes for ever to get ready.
    daemon = await PageDaemon.start({ agents: { slow: { protocol: "acp", command: ["sleep", "600"] } } });
  });

  afterAll(async () => {
    await browser?.close();
    await daemon.close();
  });

  async function open(session: string, more: object = {}, options: object = {}): Promise<Watched> {
    await daemon.createSession(session, more);
    const watched = await openPage(browser!, daemon.link, options);
    await showSession(watched.page, session);
    return watched;
  }

  const SLOW = { options: { pace: 5 } };

  /** Where the focus is, by name. */
  function focus(page: Page): Promise<string> {
    return page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.id || activeElement?.ariaLabel || activeElement?.tagName || "";
    });
  }

  test("a prompt sent while the daemon is down during a turn is gone after the restart", async () => {
    const watched = await open("down", SLOW);
    const { page } = watched;
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await page.locator("input[type=file]").setInputFiles({
      name: "note.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("carried along"),
    });
    await page.getByText("note.txt").waitFor();
    await daemon.kill();
    await page.getByText("The daemon cannot be reached.").first().waitFor();
    await send(page, "scenario:echo was it lost?");
    await page.getByRole("alert").getByText("The daemon cannot be reached.").waitFor();
    await daemon.restart();
    await expect.poll(() => page.inputValue("#composer"), PATIENT).toBe("scenario:echo was it lost?");
    await page.getByRole("list", { name: "Attached files" }).getByText("note.txt").waitFor();
    await untilStatus(page, "idle");
    await page.press("#composer", "Enter");
    await page.locator("[data-role=assistant]", { hasText: "was it lost?" }).waitFor();
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "down");
    expectNoWrongs(watched);
  });

  test("a prompt whose answer was lost on the way is not sent twice", async () => {
    const watched = await open("once", SLOW);
    const { page } = watched;
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    // The daemon takes it, but the page never hears of it.
    await page.route("**/v1/sessions/once/messages", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send(page, "scenario:echo just once");
    await page.locator("[data-queued]", { hasText: "just once" }).waitFor();
    await page.locator("[data-role=assistant]", { hasText: "just once" }).waitFor();
    await untilStatus(page, "idle");
    expect(await page.inputValue("#composer")).toBe("");
    const transcript = await expectSameTranscript(page, daemon, "once");
    expect(transcript).toHaveLength(4);
    expectNoWrongs(watched);
  });

  test("what was written is gone after a reload", async () => {
    const watched = await open("written");
    const { page } = watched;
    await page.fill("#composer", "not sent yet");
    await page.reload();
    await page.waitForSelector("#composer");
    expect(await page.inputValue("#composer")).toBe("not sent yet");
    await page.fill("#composer", "");
    await page.reload();
    await page.waitForSelector("#composer");
    expect(await page.inputValue("#composer")).toBe("");
    expectNoWrongs(watched);
  });

  test("of two asks the one that was answered stays open in every tab", async () => {
    const watched = await open("two-asks");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    await page.getByRole("button", { name: "Allow", exact: true }).nth(1).waitFor();
    await page.getByRole("button", { name: "Allow", exact: true }).first().click();
    const allow = page.getByRole("button", { name: "Allow", exact: true });
    await expect.poll(() => allow.count(), PATIENT).toBe(1);
    await page.reload();
    await page.waitForSelector("#composer");
    await allow.first().waitFor();
    expect(await allow.count()).toBe(1);
    await allow.click();
    await untilSaid(page, "2 of 2 commands were allowed.");
    expectNoWrongs(watched);
  });

  test("Stop disappears with the first character, and Escape does nothing", async () => {
    const watched = await open("stopped", SLOW);
    const { page } = watched;
    await send(page, "scenario:hang");
    await untilSaid(page, "Let me think about");
    await page.fill("#composer", "but then");
    await page.getByRole("button", { name: "Stop the turn" }).waitFor();
    await page.press("#composer", "Escape");
    await page.getByText("Stopped", { exact: true }).waitFor();
    expect(await page.inputValue("#composer")).toBe("but then");
    await page.fill("#composer", "");
    await send(page, "scenario:hang");
    await untilStatus(page, "running");
    await page.locator("[data-role=assistant]").nth(1).waitFor();
    await page.locator("#composer").blur();
    await page.keyboard.press("Escape");
    await page.getByText("Stopped", { exact: true }).nth(1).waitFor();
    expectNoWrongs(watched);
  });

  test("j moves once and then writes", async () => {
    for (const id of ["row-1", "row-2", "row-3"]) await daemon.createSession(id);
    const watched = await open("row-4");
    const { page } = watched;
    await page.locator("#composer").blur();
    const rows = await page
      .locator("aside [data-session]")
      .evaluateAll((all) => all.map((row) => row.getAttribute("data-session")));
    const start = rows.indexOf("row-4");
    for (const step of [1, 2]) {
      await page.keyboard.press("j");
      await expect.poll(() => page.url(), PATIENT).toContain(`/sessions/${rows[start + step]}`);
      await page.waitForSelector("#composer");
    }
    await page.keyboard.press("k");
    await expect.poll(() => page.url(), PATIENT).toContain(`/sessions/${rows[start + 1]}`);
    expect(await page.inputValue("#composer")).toBe("");
    await page.keyboard.press("i");
    expect(await focus(page)).toBe("composer");
    // A click is followed by writing.
    await page.locator("aside [data-session=row-4]").click();
    await expect.poll(() => focus(page), PATIENT).toBe("composer");
    expectNoWrongs(watched);
  });

  test("n and Enter close the dialog again", async () => {
    const watched = await open("by-enter");
    const { page } = watched;
    await page.locator("#composer").blur();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.getByRole("option", { name: "mock" }).waitFor({ state: "attached" });
    await page.keyboard.type("Named at once");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Named at once" }).waitFor();
    await dialog.waitFor({ state: "detached" });
    // The list of what waits gives no answer to a key.
    await daemon.createSession("asking");
    await daemon.prompt("asking", "scenario:approve");
    await daemon.until("asking", "waiting");
    await page.locator("#composer").blur();
    await page.keyboard.press("a");
    const asks = page.getByRole("dialog", { name: "Waiting for you" });
    await asks.locator("[data-ask]").first().waitFor();
    await page.keyboard.press("Enter");
    expect(await asks.locator("[data-ask]").count()).toBeGreaterThan(0);
    expectNoWrongs(watched);
  });

  test("the focus falls to the body after an answer", async () => {
    const watched = await open("focused");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    const allow = page.getByRole("button", { name: "Allow", exact: true });
    await allow.nth(1).waitFor();
    await allow.first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focus(page), PATIENT).toMatch(/^Permission/);
    await expect.poll(() => allow.count(), PATIENT).toBe(1);
    expect(await focus(page)).toMatch(/^Permission/);
    await allow.focus();
    await page.keyboard.press("Enter");
    await untilStatus(page, "idle");
    expect(await focus(page)).toBe("composer");
    expectNoWrongs(watched);
  });

  test("a steered prompt is shown nowhere until it is taken up", async () => {
    const watched = await open("steered", { options: { pace: 20 } });
    const { page } = watched;
    await send(page, "scenario:long");
    await untilSaid(page, "word-3 ");
    await page.fill("#composer", "a word from the side");
    await page.getByRole("button", { name: "Steer" }).click();
    await page.locator("[data-steered]", { hasText: "a word from the side" }).waitFor();
    await page.locator("[data-role=user]", { hasText: "a word from the side" }).waitFor();
    await page.locator("[data-steered]").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("while an agent starts its prompt stands in the transcript and in the queue", async () => {
    const watched = await open("starting", { agent: "slow" });
    const { page } = watched;
    const listed = page.waitForResponse("**/v1/sessions/starting/queue");
    await send(page, "said once");
    await page.locator("[data-role=user]", { hasText: "said once" }).waitFor();
    const { queue } = (await (await listed).json()) as { queue: { parts: object[] }[] };
    expect(queue).toMatchObject([{ parts: [{ text: "said once" }] }]);
    // Another prompt waits, and is the only one that is listed.
    await send(page, "and then");
    await page.locator("[data-queued]", { hasText: "and then" }).waitFor();
    expect(await page.locator("[data-queued]").count()).toBe(1);
    expectNoWrongs(watched);
  });

  test("loading earlier messages jumps", async () => {
    await daemon.createSession("earlier");
    for (let turn = 0; turn < 45; turn += 1) {
      await daemon.prompt("earlier", `scenario:echo answer ${turn}`);
      await daemon.until("earlier", "idle");
    }
    const watched = await openPage(browser!, daemon.link);
    const { page } = watched;
    await showSession(page, "earlier");
    await untilSaid(page, "answer 44");
    const first = page.locator("[data-message]").first();
    const id = await first.getAttribute("data-message");
    await first.scrollIntoViewIfNeeded();
    await page.locator("[role=log]").evaluate((log) => {
      log.closest(".overflow-y-auto")!.scrollTop = 0;
    });
    const seen = page.locator(`[data-message="${id}"]`);
    const before = (await seen.boundingBox())!.y;
    await page.getByRole("button", { name: "Load earlier messages" }).click();
    await expect.poll(() => page.locator("[data-message]").count(), PATIENT).toBe(90);
    const after = (await seen.boundingBox())!.y;
    // The button above it may have gone.
    expect(Math.abs(after - before)).toBeLessThan(60);
    expectNoWrongs(watched);
  });

  test("a file of 40 MB is refused only when it is sent, and the prompt is lost", async () => {
    const watched = await open("attached");
    const { page } = watched;
    await page.fill("#composer", "look at these");
    await page.locator("input[type=file]").waitFor({ state: "attached" });
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(40 * 1024 * 1024)], "large.bin"));
      files.items.add(new File(["small"], "small.txt", { type: "text/plain" }));
      input.files = files.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.getByRole("alert").getByText("large.bin (40 MB)").waitFor();
    await page.getByRole("list", { name: "Attached files" }).getByText("small.txt").waitFor();
    expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(1);
    expect(await page.inputValue("#composer")).toBe("look at these");
    expectNoWrongs(watched);
  });

  test("a prompt that is refused is lost with its files", async () => {
    const watched = await open("refused", SLOW);
    const { page } = watched;
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await page.route("**/v1/sessions/refused/messages", (route) =>
      route.fulfill({ status: 413, json: { status: 413, code: "too_large", detail: "That is too much." } }),
    );
    await page.locator("input[type=file]").setInputFiles({
      name: "note.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("carried along"),
    });
    await page.getByText("note.txt").waitFor();
    await send(page, "with a file");
    await page.getByRole("alert").getByText("That is too much.").waitFor();
    await expect.poll(() => page.inputValue("#composer"), PATIENT).toBe("with a file");
    await page.getByRole("list", { name: "Attached files" }).getByText("note.txt").waitFor();
    expectNoWrongs(watched);
  });

  test("a session with environment values is a dead end after a restart", async () => {
    const watched = await open("with-values", { env: { ATLAS_KEY: "walk-12345" } });
    const { page } = watched;
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    await untilStatus(page, "idle");
    await daemon.kill();
    await daemon.restart();
    const form = page.getByRole("form", { name: "Environment values" });
    await form.getByLabel("ATLAS_KEY").fill("walk-67890");
    await form.getByRole("button", { name: "Use these values" }).click();
    await form.waitFor({ state: "detached" });
    await send(page, "scenario:echo and on");
    await page.locator("[data-role=assistant]", { hasText: "and on" }).waitFor();
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("at 768 × 800 a session opens with Allow out of sight", async () => {
    await daemon.createSession("narrow", { title: "Add tile caching to the renderer" });
    await daemon.prompt("narrow", "Please cache rendered tiles on disk and note it in the docs.");
    await daemon.until("narrow", "waiting");
    for (const text of ["one", "two", "three", "four"]) await daemon.prompt("narrow", `then ${text}`);
    for (const height of [800, 600]) {
      const watched = await openPage(browser!, daemon.link, { viewport: { width: 768, height } });
      const { page } = watched;
      const allow = page.getByRole("button", { name: "Allow", exact: true });
      // What waits comes when the conversation is there, and takes room from it.
      await page.route("**/v1/sessions/narrow/queue", async (route) => {
        await allow.waitFor();
        await route.continue();
      });
      await showSession(page, "narrow");
      await page.locator("[data-queued]").first().waitFor();
      await expect
        .poll(
          () =>
            allow.evaluate((button) => {
              const { left, top, width, height } = button.getBoundingClientRect();
              return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
            }),
          PATIENT,
        )
        .toBe(true);
      expectNoWrongs(watched);
      await page.context().close();
    }
  });

  test("the token is gone in a new tab", async () => {
    const { page } = await openPage(browser!, daemon.link);
    await page.waitForSelector("[data-connection=live]");
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/`);
    await other.waitForSelector("[data-connection=live]");
    expect(await other.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    // Nobody else gets it: another profile of the browser is asked for it.
    const stranger = await (await browser!.newContext()).newPage();
    await stranger.goto(`${daemon.origin}/`);
    await stranger.getByLabel("Token or link").waitFor();
    // A tab that waits gets it from one that was given it later.
    await page.close();
    await other.evaluate(() => sessionStorage.clear());
    await other.reload();
    await other.getByLabel("Token or link").waitFor();
    const third = await other.context().newPage();
    await third.goto(daemon.link);
    await other.waitForSelector("[data-connection=live]");
  });
});
