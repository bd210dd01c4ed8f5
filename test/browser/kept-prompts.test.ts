/** What a person wrote is never lost, and always somewhere to be seen. */
import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectSameTranscript, storedTranscript } from "./transcript.ts";
import { expectNoWrongs, PATIENT, send, untilSaid, untilStatus } from "./watched-page.ts";

/** It takes for ever to get ready. */
const SLOW_AGENT = { protocol: "acp", command: ["sleep", "600"] };

describePage("kept prompts", { agents: { slow: SLOW_AGENT } }, ({ daemon, open }) => {
  const SLOW = { options: { pace: 5 } };

  test("a prompt sent while the daemon is down during a turn is sent after the restart", async () => {
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
    await page.getByText("Connection lost").first().waitFor();
    await send(page, "scenario:echo was it lost?");
    // It stays where it was written, and says so, until it goes out by itself.
    await page.locator("form [data-unsent]", { hasText: "Not sent yet." }).waitFor();
    expect(await page.inputValue("#composer")).toBe("scenario:echo was it lost?");
    expect(await page.locator("[data-role=user]", { hasText: "was it lost?" }).count()).toBe(0);
    await daemon.restart();
    await page.locator("[data-role=assistant]", { hasText: "was it lost?" }).waitFor();
    expect(await page.inputValue("#composer")).toBe("");
    expect(await page.locator("[data-unsent]").count()).toBe(0);
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "down");
    expectNoWrongs(watched);
  });

  test("a prompt that waits for the connection is not sent once somebody goes on with it", async () => {
    const watched = await open("held");
    const { page } = watched;
    await daemon.kill();
    await page.getByText("Connection lost").first().waitFor();
    await send(page, "scenario:echo not yet");
    await page.locator("form [data-unsent]").waitFor();
    await page.press("#composer", "End");
    await page.keyboard.type(" finished");
    await page.locator("form [data-unsent]").waitFor({ state: "detached" });
    await daemon.restart();
    await untilStatus(page, "idle");
    await page.press("#composer", "Enter");
    await page.locator("[data-role=assistant]", { hasText: "not yet finished" }).waitFor();
    await untilStatus(page, "idle");
    expect(await expectSameTranscript(page, daemon, "held")).toHaveLength(2);
    expectNoWrongs(watched);
  });

  test("a prompt that waits for the connection is sent once, also while another session is looked at", async () => {
    await daemon.createSession("left-held", { title: "Left held" });
    const watched = await open("looked-at", { title: "Looked at" });
    const { page } = watched;
    const row = (session: string) => page.locator(`aside [data-session=${session}]`);
    await row("left-held").click();
    await page.getByRole("heading", { name: "Left held" }).waitFor();
    await daemon.kill();
    await page.getByText("Connection lost").first().waitFor();
    await send(page, "scenario:echo sent from afar");
    await page.locator("form [data-unsent]", { hasText: "Not sent yet." }).waitFor();
    await row("looked-at").click();
    await page.locator("form [data-unsent]").waitFor({ state: "detached" });
    // It still waits when somebody comes back before the connection does.
    await row("left-held").click();
    await page.locator("form [data-unsent]", { hasText: "Not sent yet." }).waitFor();
    await row("looked-at").click();
    await page.locator("form [data-unsent]").waitFor({ state: "detached" });
    // The first request is taken, but the page never hears of it.
    const ids: string[] = [];
    const taken = Promise.withResolvers<void>();
    await page.route("**/v1/sessions/left-held/messages", async (route) => {
      ids.push(route.request().postDataJSON().id);
      if (ids.length > 1) return route.continue();
      await route.fetch();
      taken.resolve();
      await route.abort();
    });
    await daemon.restart();
    await taken.promise;
    await daemon.until("left-held", "idle");
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await daemon.kill();
    await page.getByText("Connection lost").first().waitFor();
    await daemon.restart();
    await expect.poll(() => ids.length, PATIENT).toBe(2);
    expect(ids[1]).toBe(ids[0]);
    await row("left-held").click();
    await page.locator("[data-role=assistant]", { hasText: "sent from afar" }).waitFor();
    await untilStatus(page, "idle");
    expect(await page.inputValue("#composer")).toBe("");
    expect(await page.locator("[data-unsent]").count()).toBe(0);
    expect(await expectSameTranscript(page, daemon, "left-held")).toHaveLength(2);
    expectNoWrongs(watched);
  });

  test("a prompt on its way arrives, or comes back, although another session is looked at", async () => {
    await daemon.createSession("looked-at-meanwhile", { title: "Looked at meanwhile" });
    const watched = await open("on-its-way", { title: "On its way" });
    const { page } = watched;
    const row = (session: string) => page.locator(`aside [data-session=${session}]`);
    const look = async (session: string, title: string) => {
      await row(session).click();
      await page.getByRole("heading", { name: title }).waitFor();
    };
    /** Resolves `isHeld` when the request is there, and goes on when `letGo` is called. */
    const hold = async (goOn: (route: Route) => Promise<void>) => {
      const [isHeld, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.unroute("**/api/chat");
      await page.route("**/api/chat", async (route) => {
        isHeld.resolve();
        await letGo.promise;
        await goOn(route);
      });
      return { isHeld: isHeld.promise, letGo: letGo.resolve };
    };
    const slow = await hold((route) => route.continue());
    await send(page, "scenario:echo took its time");
    await slow.isHeld;
    await look("looked-at-meanwhile", "Looked at meanwhile");
    // Whoever comes back meanwhile does not hear that it was not sent.
    await look("on-its-way", "On its way");
    await look("looked-at-meanwhile", "Looked at meanwhile");
    slow.letGo();
    await expect.poll(async () => (await storedTranscript(daemon, "on-its-way")).length, PATIENT).toBe(2);
    await look("on-its-way", "On its way");
    await page.locator("[data-role=assistant]", { hasText: "took its time" }).waitFor();
    expect(await page.inputValue("#composer")).toBe("");

    const refused = await hold((route) =>
      route.fulfill({ status: 413, json: { status: 413, code: "too_large", detail: "That is too much." } }),
    );
    await send(page, "scenario:echo too much");
    await refused.isHeld;
    await look("looked-at-meanwhile", "Looked at meanwhile");
    await look("on-its-way", "On its way");
    refused.letGo();
    await page.locator("form [data-unsent]", { hasText: "Your prompt was not sent." }).waitFor();
    expect(await page.inputValue("#composer")).toBe("scenario:echo too much");
    expectNoWrongs(watched);
  });

  test("a prompt whose request broke comes back, with a word that it was not sent", async () => {
    const watched = await open("broken");
    const { page } = watched;
    await page.route("**/api/chat", (route) => route.abort());
    // While the daemon does not say whether it has the prompt, nobody knows.
    let isAsked = false;
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/v1/sessions/broken/queue", async (route) => {
      isAsked = true;
      await held;
      await route.continue();
    });
    await send(page, "scenario:echo and back");
    await page.locator("main article + [data-unsent]", { hasText: "Not sent yet" }).waitFor();
    await expect.poll(() => isAsked, PATIENT).toBe(true);
    answer();
    await page.locator("form [data-unsent]", { hasText: "Your prompt was not sent." }).waitFor();
    expect(await page.inputValue("#composer")).toBe("scenario:echo and back");
    await page.locator("[data-role=user]").waitFor({ state: "detached" });
    await page.unroute("**/api/chat");
    await page.press("#composer", "Enter");
    await page.locator("[data-role=assistant]", { hasText: "and back" }).waitFor();
    expect(await page.locator("[data-unsent]").count()).toBe(0);
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

  test("what was written is there after a reload", async () => {
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

  test("a steered prompt is shown before it is taken up, also after a reload", async () => {
    const watched = await open("steered", { options: { pace: 20 } });
    const { page } = watched;
    await send(page, "scenario:approve");
    // While it asks it takes up nothing.
    const allow = page.getByRole("button", { name: "Allow", exact: true });
    await allow.waitFor();
    await page.fill("#composer", "a word from the side");
    await page.getByRole("button", { name: "Steer" }).click();
    await page.locator("[data-steered]", { hasText: "a word from the side" }).waitFor();
    await page.reload();
    await page.locator("[data-steered]", { hasText: "a word from the side" }).waitFor();
    expect(await page.locator("[data-role=user]").count()).toBe(1);
    await allow.click();
    await page.locator("[data-role=user]", { hasText: "a word from the side" }).waitFor();
    await page.locator("[data-steered]").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("while an agent starts its prompt stands in the transcript only", async () => {
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

  test("a file of 40 MB is refused when it is attached, and the rest is kept", async () => {
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

  test("a prompt that is refused comes back with its files", async () => {
    const watched = await open("refused");
    const { page } = watched;
    // It goes on however long the rest takes.
    await send(page, "scenario:hang");
    await untilSaid(page, "Let me think about");
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

  test("a session with environment values asks for them after a restart", async () => {
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
});
