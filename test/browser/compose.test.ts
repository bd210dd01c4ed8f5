/** What stands below a conversation: prompts that wait, tasks, and everything that helps to write. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { countRenders } from "./count-renders.ts";
import { describePage } from "./describe-page.ts";
import { holdFiles } from "./hold-files.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, PATIENT, send, untilStatus } from "./watched-page.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describePage("compose", {}, ({ daemon, open, show }) => {
  const cards = (page: Page) => page.locator("[data-queued]");
  const texts = (page: Page) => cards(page).locator("[data-text]").allTextContents();

  /** The agent hangs, and these wait. */
  async function waiting(session: string, ...prompts: string[]) {
    const watched = await open(session);
    await send(watched.page, "scenario:hang");
    // The agent is there, and says something before it falls silent.
    await watched.page.locator("[data-role=assistant]").waitFor();
    for (const prompt of prompts) {
      await send(watched.page, prompt);
      // More than two are folded to one line.
      if (prompts.indexOf(prompt) === 2) await unfold(watched.page, 3);
      await cards(watched.page).filter({ hasText: prompt }).waitFor();
    }
    return watched;
  }

  async function unfold(page: Page, count: number): Promise<void> {
    await page.getByRole("button", { name: `${count} prompts wait`, expanded: false }).click();
  }

  async function order(session: string): Promise<string[]> {
    type Queue = { queue: { parts: { text: string }[] }[] };
    const { queue } = await daemon.call<Queue>("GET", `/v1/sessions/${session}/queue`);
    return queue.map(({ parts }) => parts[0]!.text);
  }

  test("the field does not render with an answer that streams, only with what is written in it", async () => {
    const watched = await open("streams");
    const { page } = watched;
    await send(page, "scenario:burst:100000000");
    const answer = page.locator("[data-role=assistant]");
    await answer.locator("[data-part=text]").first().waitFor();
    const field = page.locator("#composer");
    const [ofAnswer, ofField] = await Promise.all([
      countRenders(answer),
      countRenders(page.locator("form", { has: field })),
    ]);
    await expect.poll(ofAnswer, PATIENT).toBeGreaterThan(30);
    // What the session and its agent can do is loaded once more when a turn begins, and may come only now.
    const before = await ofField();
    expect(before).toBeLessThan(4);
    await field.press("w");
    await expect.poll(ofField, PATIENT).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("what waits is shown during a turn, however long the answer takes and however much is said", async () => {
    const watched = await open("slow-queue");
    const { page } = watched;
    await send(page, "scenario:burst:100000000");
    await page.locator("[data-role=assistant] [data-part=text]").first().waitFor();
    // The answer takes as long as the feed needs to tell three times that the session went on.
    await page.route("**/v1/sessions/slow-queue/queue", async (route) => {
      await page.waitForTimeout(300);
      await route.continue();
    });
    await daemon.prompt("slow-queue", "scenario:echo from elsewhere");
    await cards(page).filter({ hasText: "from elsewhere" }).waitFor();
    const [waits] = (
      await daemon.call<{ queue: { message: string }[] }>("GET", "/v1/sessions/slow-queue/queue")
    ).queue;
    await daemon.call("PATCH", `/v1/sessions/slow-queue/queue/${waits!.message}`, {
      parts: [{ type: "text", text: "scenario:echo changed elsewhere" }],
    });
    await cards(page).filter({ hasText: "changed elsewhere" }).waitFor();
    await untilStatus(page, "running");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await cards(page).getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("waiting prompts are put in another order by keys and by hand, are held by a stop, and run in it", async () => {
    const watched = await waiting("order", "scenario:echo one", "scenario:echo two", "scenario:echo three");
    const { page } = watched;
    const handle = (text: string) =>
      cards(page).filter({ hasText: text }).getByRole("button", { name: /^Move/ });
    await handle("three").press("ArrowUp");
    await expect
      .poll(() => order("order"), PATIENT)
      .toEqual(["scenario:echo one", "scenario:echo three", "scenario:echo two"]);
    await expect
      .poll(() => texts(page), PATIENT)
      .toEqual(["scenario:echo one", "scenario:echo three", "scenario:echo two"]);
    // By hand: the last one over the first.
    const [from, to] = [await handle("two").boundingBox(), await cards(page).first().boundingBox()];
    await page.mouse.move(from!.x + 5, from!.y + from!.height / 2);
    await page.mouse.down();
    await page.mouse.move(from!.x + 5, to!.y + 2, { steps: 8 });
    await page.mouse.up();
    await expect
      .poll(() => order("order"), PATIENT)
      .toEqual(["scenario:echo two", "scenario:echo one", "scenario:echo three"]);
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await untilStatus(page, "idle");
    // Every device, and a page that is opened later, knows it.
    await page.reload();
    await page.getByRole("button", { name: "3 prompts wait · held" }).waitFor();
    await settled(page);
    await mkdir(FOLDER, { recursive: true });
    await page.screenshot({ path: join(FOLDER, "compose-held.png") });
    const said = async () => {
      const prompts = await page.locator("[data-role=user]").allTextContents();
      return prompts.map((text) => /one|two|three/.exec(text)?.[0]);
    };
    expect(await said()).toEqual([undefined]);
    await page.getByRole("button", { name: "Go on" }).click();
    await expect.poll(said, PATIENT).toEqual([undefined, "two", "one", "three"]);
    expectNoWrongs(watched);
  });

  test("a waiting prompt is sent now, into the running turn", async () => {
    const watched = await waiting("now", "scenario:echo first", "scenario:echo urgent");
    const { page } = watched;
    await cards(page).filter({ hasText: "urgent" }).getByRole("button", { name: "Send now" }).click();
    await cards(page).filter({ hasText: "urgent" }).waitFor({ state: "detached" });
    expect(await order("now")).toEqual(["scenario:echo first"]);
    type Events = { events: { type: string; steered?: boolean }[] };
    const { events } = await daemon.call<Events>("GET", "/v1/sessions/now/events?limit=500");
    expect(events.filter(({ type }) => type === "prompt.dispatched").at(-1)).toMatchObject({ steered: true });
    expectNoWrongs(watched);
  });

  test("a waiting prompt is changed or left as it was, and the focus stays with it", async () => {
    const watched = await waiting("changed", "scenario:echo before", "scenario:echo other");
    const { page } = watched;
    const card = cards(page).first();
    const button = (name: string) => card.getByRole("button", { name, exact: true });
    const field = page.getByRole("textbox", { name: "Change the waiting prompt" });
    const isFocused = (selector: string) =>
      page.evaluate((where) => document.activeElement?.matches(where), selector);
    // The old one is still told for a while.
    let release: (() => void) | undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/queue/*", async (route) => {
      if (route.request().method() === "PATCH") await held;
      await route.continue();
    });
    await button("Change").click();
    await field.fill("scenario:echo after");
    expect(await button("Change").count()).toBe(0);
    await button("Save").click();
    expect(await texts(page)).toEqual(["scenario:echo after", "scenario:echo other"]);
    expect(await isFocused("[data-queued] [data-text]")).toBe(true);
    release?.();
    await expect
      .poll(() => order("changed"), PATIENT)
      .toEqual(["scenario:echo after", "scenario:echo other"]);
    expect(await texts(page)).toEqual(["scenario:echo after", "scenario:echo other"]);
    // Cancel, for a finger, and Escape leave it; a second Escape stops nothing.
    for (const leave of [() => button("Cancel").click(), () => field.press("Escape")]) {
      await button("Change").click();
      await field.fill("scenario:echo never");
      await leave();
      expect(await isFocused("[data-queued] [data-text]")).toBe(true);
    }
    await page.keyboard.press("Escape");
    expect(await order("changed")).toEqual(["scenario:echo after", "scenario:echo other"]);
    await button("Withdraw").click();
    await expect.poll(() => cards(page).count(), PATIENT).toBe(1);
    expect(await isFocused("#composer")).toBe(true);
    await untilStatus(page, "running");
    await button("Send now").click();
    await cards(page).first().waitFor({ state: "detached" });
    expect(await isFocused("#composer")).toBe(true);
    expectNoWrongs(watched);
  });

  test("a waiting prompt that begins while it is changed leaves what was written in the composer", async () => {
    const watched = await waiting("began", "scenario:echo as it waited");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Change the waiting prompt" });
    const composer = page.locator("#composer");
    await composer.fill("mine");
    await cards(page).getByRole("button", { name: "Change", exact: true }).click();
    await field.fill("as it should be");
    await daemon.call("POST", "/v1/sessions/began/interrupt", {});
    await page.locator("[data-role=assistant]", { hasText: "as it waited" }).waitFor();
    await field.waitFor({ state: "detached" });
    expect(await composer.inputValue()).toBe("mine\n\nas it should be");
    await page.locator("#composer:focus").waitFor();
    const note = page.locator("form [data-unsent]", {
      hasText: "Your change of a waiting prompt was not saved.",
    });
    await note.waitFor();
    // It is there, and explained, after a reload, until somebody goes on with it.
    await page.reload();
    await note.waitFor();
    expect(await composer.inputValue()).toBe("mine\n\nas it should be");
    await composer.fill("something else");
    await note.waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("a change that is on its way when the session is left or its prompt begins is not lost", async () => {
    const watched = await waiting("left-changing", "scenario:echo as it waited");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Change the waiting prompt" });
    const composer = page.locator("#composer");
    const change = cards(page).getByRole("button", { name: "Change", exact: true });
    await change.click();
    await field.fill("not finished");
    await page.evaluate(() => {
      location.hash = "/";
    });
    await field.waitFor({ state: "detached" });
    await page.goBack();
    await expect.poll(() => composer.inputValue(), PATIENT).toBe("not finished");
    // The daemon refuses it only when the prompt has begun.
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/queue/*", async (route) => {
      await held;
      await route.continue();
    });
    await change.click();
    await field.fill("too late");
    await field.press("Enter");
    await daemon.call("POST", "/v1/sessions/left-changing/interrupt", {});
    await cards(page).waitFor({ state: "detached" });
    answer();
    await expect.poll(() => composer.inputValue(), PATIENT).toBe("not finished\n\ntoo late");
    expectNoWrongs(watched);
  });

  test("prompts that come from elsewhere do not fold away the one that is changed", async () => {
    const watched = await waiting("came", "scenario:echo first", "scenario:echo second");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Change the waiting prompt" });
    await cards(page).first().getByRole("button", { name: "Change", exact: true }).click();
    await field.fill("scenario:echo better");
    await daemon.prompt("came", "scenario:echo third");
    await page.getByRole("button", { name: "3 prompts wait", expanded: true }).waitFor();
    expect(await field.inputValue()).toBe("scenario:echo better");
    await field.press("Enter");
    await expect
      .poll(() => order("came"), PATIENT)
      .toEqual(["scenario:echo better", "scenario:echo second", "scenario:echo third"]);
    expectNoWrongs(watched);
  });

  test("a change that fails is open again with what was written, and leaves the focus to who writes elsewhere", async () => {
    const watched = await waiting("failed-change", "scenario:echo before");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Change the waiting prompt" });
    const composer = page.locator("#composer");
    const isFocused = (selector: string) =>
      page.evaluate((where) => document.activeElement?.matches(where), selector);
    await page.route("**/queue/*", (route) => route.abort());
    await cards(page).getByRole("button", { name: "Change", exact: true }).click();
    await field.fill("scenario:echo after");
    await field.press("Enter");
    await cards(page).getByRole("alert").waitFor();
    expect(await field.inputValue()).toBe("scenario:echo after");
    expect(await isFocused("[data-queued] textarea")).toBe(true);
    // Leaving the field saves, too.
    await composer.click();
    await cards(page).getByRole("alert").waitFor();
    expect(await field.inputValue()).toBe("scenario:echo after");
    expect(await isFocused("#composer")).toBe(true);
    await page.unroute("**/queue/*");
    await cards(page).getByRole("button", { name: "Save" }).click();
    await expect.poll(() => order("failed-change"), PATIENT).toEqual(["scenario:echo after"]);
    await cards(page).getByRole("alert").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("Escape ends the word that an input method composes, not the change", async () => {
    const watched = await waiting("composing", "scenario:echo before");
    const { page } = watched;
    const field = page.getByRole("textbox", { name: "Change the waiting prompt" });
    await cards(page).getByRole("button", { name: "Change", exact: true }).click();
    await field.fill("scenario:echo after");
    await field.dispatchEvent("keydown", { key: "Escape", isComposing: true });
    expect(await field.inputValue()).toBe("scenario:echo after");
    await field.press("Enter");
    await expect.poll(() => order("composing"), PATIENT).toEqual(["scenario:echo after"]);
    expectNoWrongs(watched);
  });

  test("a turn that is slow to stop says that it is stopping", async () => {
    const watched = await open("deaf");
    const { page } = watched;
    await send(page, "scenario:hang-deaf");
    await page.locator("[data-role=assistant]").waitFor();
    await untilStatus(page, "running");
    await page.getByRole("button", { name: "Stop the turn" }).click();
    const stop = page.getByRole("button", { name: "Stopping…" });
    await stop.waitFor();
    expect(await stop.isDisabled()).toBe(true);
    expect(await page.locator("[data-session-status]").textContent()).toBe("Stopping…");
    const line = await page.locator("[data-part=working]").textContent();
    expect(line).toContain("Stopping…");
    expect(line).not.toContain("Esc");
    await settled(page);
    await page.screenshot({ path: join(FOLDER, "compose-stopping.png") });
    await untilStatus(page, "idle");
    expect(await page.locator("[data-session-status]").textContent()).toBe("Idle");
    // The next turn was not told.
    await send(page, "scenario:hang");
    await page.getByRole("button", { name: "Stop the turn" }).waitFor();
    await page.keyboard.press("Escape");
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("a task in the background is shown and stopped, from the line and from the panel", async () => {
    const watched = await open("tasks");
    const { page } = watched;
    await send(page, "scenario:server");
    const bar = page.getByRole("region", { name: "Background tasks" });
    await bar.getByText("npm run dev").waitFor();
    await bar.getByText("listening on port 5173").waitFor();
    await bar.getByRole("link").click();
    const panel = page.locator("[data-panel=tasks]");
    await panel.locator("[data-task=running]", { hasText: "npm run dev" }).waitFor();
    await bar.getByRole("button", { name: "Stop npm run dev" }).click();
    // It is no failure, and what it said last is kept.
    const stopped = panel.locator("[data-task=stopped]");
    await stopped.getByText("Stopped by you").waitFor();
    await stopped.getByText("listening on port 5173").waitFor();
    await bar.waitFor({ state: "detached" });
    const call = page.locator("[data-state-of-call]");
    await call.getByText("Stopped", { exact: true }).waitFor();
    expect(await call.getByRole("button").first().getAttribute("aria-expanded")).toBe("false");
    expect(await call.textContent()).not.toMatch(/143|task-1/);
    await send(page, "scenario:server");
    await panel.getByRole("button", { name: "Stop npm run dev" }).click();
    await expect.poll(() => panel.locator("[data-task=stopped]").count(), PATIENT).toBe(2);
    expectNoWrongs(watched);
  });

  test("the arrow keys bring back what was asked before, and a search finds it", async () => {
    const watched = await open("history");
    const { page } = watched;
    for (const prompt of ["scenario:echo an apple", "scenario:echo a pear"]) {
      await send(page, prompt);
      await untilStatus(page, "idle");
      await page.locator("[data-role=assistant]", { hasText: prompt.slice(14) }).waitFor();
    }
    const field = page.locator("#composer");
    await field.press("ArrowUp");
    await expect.poll(() => field.inputValue()).toBe("scenario:echo a pear");
    await field.press("ArrowUp");
    await expect.poll(() => field.inputValue()).toBe("scenario:echo an apple");
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe("scenario:echo an apple");
    await field.press("ArrowDown");
    await field.press("ArrowDown");
    await expect.poll(() => field.inputValue()).toBe("");
    // What somebody writes is theirs.
    await field.fill("mine");
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe("mine");
    await field.press("Control+r");
    await page.getByPlaceholder("Search earlier prompts").fill("apple ECHO");
    await page.getByRole("option").first().waitFor();
    expect(await page.getByRole("option").allTextContents()).toEqual(["scenario:echo an apple"]);
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("scenario:echo an apple");
    expectNoWrongs(watched);
  });

  test("@ names a file of the directory", async () => {
    await mkdir(join(daemon.project, "maps"), { recursive: true });
    await writeFile(join(daemon.project, "maps", "harbour.txt"), "boats\n");
    const watched = await open("mention");
    const { page } = watched;
    const field = page.locator("#composer");
    await field.pressSequentially("look at @harb");
    const files = page.getByRole("listbox", { name: "Files" });
    await files.getByRole("option", { name: "maps/harbour.txt" }).waitFor();
    await field.press("Tab");
    await expect.poll(() => field.inputValue()).toBe("look at @maps/harbour.txt ");
    await files.waitFor({ state: "detached" });
    await field.pressSequentially("and me@example.org");
    expect(await files.count()).toBe(0);
    await field.fill("@harb");
    await files.waitFor();
    await field.press("Escape");
    await files.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("@harb");
    expectNoWrongs(watched);
  });

  test("files are attached by picking, pasting and dropping, pictures are shown, and the agent gets them", async () => {
    const watched = await open("files-in");
    const { page } = watched;
    await page.locator("input[type=file]").setInputFiles([
      { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(PIXEL, "base64") },
      { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("words") },
    ]);
    await page.locator("[data-attached=picture] img").waitFor();
    await page.locator("[data-attached=file]", { hasText: "note.txt" }).waitFor();
    for (const [type, name] of [
      ["drop", "dropped.txt"],
      ["paste", "pasted.txt"],
    ] as const)
      await page.evaluate(
        ([kind, filename]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(["x"], filename, { type: "text/plain" }));
          const target = document.getElementById("composer")!;
          const event =
            kind === "drop"
              ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
              : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
          target.dispatchEvent(event);
        },
        [type, name] as const,
      );
    const list = page.getByRole("list", { name: "Attached files" });
    await list.getByText("dropped.txt").waitFor();
    await list.getByText("pasted.txt").waitFor();
    await list.getByRole("button", { name: "Remove note.txt" }).click();
    await send(page, "scenario:text");
    await page.locator("[data-role=assistant]", { hasText: "dot.png" }).waitFor();
    await untilStatus(page, "idle");
    const said = await page.locator("[data-role=assistant]").textContent();
    expect(said).toContain("dropped.txt");
    expect(said).not.toContain("note.txt");
    expectNoWrongs(watched);
  });

  test("a prompt is sent when its files are read, and a file that is read when the session is left is kept", async () => {
    await daemon.createSession("elsewhere", { title: "Elsewhere" });
    const watched = await open("reading", { title: "Reading" });
    const { page } = watched;
    const row = (session: string) => page.locator(`aside [data-session=${session}]`);
    const attach = (name: string) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from("words") });
    await holdFiles(page);
    await attach("first.txt");
    await send(page, "scenario:text");
    const note = page.locator("form [data-unsent]", { hasText: "as soon as its files are read" });
    await note.waitFor();
    expect(await page.locator("[data-role=user]").count()).toBe(0);
    await page.evaluate(() => window.releaseFiles());
    await page.locator("[data-role=assistant]", { hasText: "first.txt" }).waitFor();
    await note.waitFor({ state: "detached" });
    await untilStatus(page, "idle");

    const list = page.getByRole("list", { name: "Attached files" });
    for (const name of ["left.txt", "come-back-to.txt"]) {
      await attach(name);
      await row("elsewhere").click();
      await page.getByRole("heading", { name: "Elsewhere" }).waitFor();
      const isBack = name === "come-back-to.txt";
      if (!isBack) await page.evaluate(() => window.releaseFiles());
      await row("reading").click();
      await page.getByRole("heading", { name: "Reading" }).waitFor();
      if (isBack) await page.evaluate(() => window.releaseFiles());
      await list.getByText(name).waitFor();
    }
    expect(await list.getByRole("listitem").count()).toBe(2);
    expectNoWrongs(watched);
  });

  test("a prompt whose file cannot be read is not sent without it", async () => {
    const watched = await open("unreadable");
    const { page } = watched;
    await holdFiles(page);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "gone.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
    await send(page, "with a file");
    await page.locator("form [data-unsent]").waitFor();
    await page.evaluate(() => window.releaseFiles("error"));
    await page.getByRole("alert").getByText("It could not be read").waitFor();
    await page.locator("form [data-unsent]").waitFor({ state: "detached" });
    expect(await page.inputValue("#composer")).toBe("with a file");
    expect(await page.locator("[data-role=user]").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("keys beside a large file do nothing with the file", async () => {
    const watched = await open("large-file");
    const { page } = watched;
    await page.locator("input[type=file]").setInputFiles({
      name: "large.txt",
      mimeType: "text/plain",
      buffer: Buffer.alloc(3_000_000, "words "),
    });
    await page.getByText("large.txt").waitFor();
    await page.evaluate(() => {
      const { stringify } = JSON;
      const { test } = RegExp.prototype;
      let handled = 0;
      const count = (text: string) => {
        if (text?.length > 1_000_000) handled += 1;
        document.documentElement.dataset.handled = String(handled);
      };
      JSON.stringify = (value: unknown) => {
        const text = stringify(value);
        count(text);
        return text;
      };
      RegExp.prototype.test = function (text) {
        count(text);
        return test.call(this, text);
      };
    });
    await page.locator("#composer").pressSequentially("look at it");
    expect(await page.locator("html").getAttribute("data-handled")).toBe("0");
    await page.reload();
    await expect.poll(() => page.inputValue("#composer"), PATIENT).toBe("look at it");
    expectNoWrongs(watched);
  });

  test("the gauge tells how full the context is, and a chip warns where everything is allowed", async () => {
    const watched = await open("gauge");
    const { page } = watched;
    expect(await page.locator("[data-all-allowed]").count()).toBe(0);
    await send(page, "scenario:text");
    await untilStatus(page, "idle");
    const gauge = page.getByRole("button", { name: /^Context \d+ % full$/ });
    await gauge.click();
    await page.getByText(/of 200k tokens/).waitFor();
    await page.getByRole("button", { name: "Summarize it now" }).click();
    await page.locator("[data-role=user]", { hasText: "/compact" }).waitFor();
    await untilStatus(page, "idle");
    await page.getByLabel("Permissions").selectOption("bypass");
    await page.locator("[data-all-allowed]:visible").waitFor();
    await page.getByLabel("Effort").selectOption("high");
    type Details = { settings: { id: string; value: string }[] };
    await expect
      .poll(async () => (await daemon.call<Details>("GET", "/v1/sessions/gauge")).settings, PATIENT)
      .toMatchObject([{ id: "effort", value: "high" }]);
    // What is changed elsewhere is shown here.
    await daemon.call("PATCH", "/v1/sessions/gauge", {
      settings: { effort: "low" },
      permissionMode: "default",
    });
    await expect.poll(() => page.getByLabel("Effort").inputValue(), PATIENT).toBe("low");
    await page.locator("[data-all-allowed]:visible").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test.each(LOOKS)("pictures: $name", async ({ name, options, isPhone }) => {
    const session = `look-${name}`;
    await daemon.createSession(session, { title: "Maps for people who walk", permissionMode: "bypass" });
    await daemon.prompt(session, "scenario:server");
    await daemon.until(session, "idle");
    await daemon.prompt(session, "scenario:hang");
    for (const text of [
      "Run the tests and mend what fails",
      "Then write a short note about the change for the people who use it, with an example of how it was before and how it is now, and send it round",
      "Tidy up",
    ])
      await daemon.prompt(session, text);
    const watched = await show(session, options);
    const { page } = watched;
    await unfold(page, 3);
    await cards(page).nth(2).waitFor();
    await page.getByRole("button", { name: "3 prompts wait", expanded: true }).click();
    await expect.poll(() => cards(page).count(), PATIENT).toBe(0);
    await page.getByRole("region", { name: "Background tasks" }).waitFor();
    await page.locator("input[type=file]").setInputFiles([
      { name: "harbour.png", mimeType: "image/png", buffer: Buffer.from(PIXEL, "base64") },
      {
        name: "a list of all places that people walk to.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("a,b"),
      },
    ]);
    await page.fill("#composer", "And look at @");
    const before = await page.locator("#composer").boundingBox();
    await page.getByRole("listbox", { name: "Files" }).waitFor();
    // It lies over the conversation and moves nothing.
    expect(await page.locator("#composer").boundingBox()).toEqual(before);
    await settled(page);
    await mkdir(FOLDER, { recursive: true });
    await page.screenshot({ path: join(FOLDER, `compose-${name}.png`) });
    expect(await flaws(page)).toEqual([]);
    await page.evaluate((id) => {
      location.hash = `/sessions/${id}/tasks`;
    }, session);
    await page.locator("[data-task=running]").waitFor();
    await settled(page);
    await page.screenshot({ path: join(FOLDER, `tasks-${name}.png`) });
    expect(await flaws(page)).toEqual([]);
    if (!isPhone) expect(await page.locator("[data-panel=tasks], [role=dialog]").count()).toBeGreaterThan(0);
    expectNoWrongs(watched);
    await page.context().close();
  });
});
