/** The page in a real browser against a real daemon: whatever happens, it ends in one transcript, the stored one. */
import { expect, test } from "vitest";
import type { SessionDetails } from "../../web/src/api/types.ts";
import { describePage } from "./describe-page.ts";
import { expectSameTranscript } from "./transcript.ts";
import {
  expectNoWrongs,
  openTab,
  PATIENT,
  send,
  showSession,
  untilSaid,
  untilStatus,
  type Watched,
} from "./watched-page.ts";

describePage("the page", {}, (tools) => {
  const { daemon, visit } = tools;

  /** With a slow agent where something has to happen while it speaks, however busy the machine is. */
  async function open(session: string, pace = 1): Promise<Watched> {
    return tools.open(session, { options: { pace } });
  }

  test("takes the token out of the address, and asks for it when it has none", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    expect(page.url()).toBe(`${daemon.origin}/`);
    expect(await page.context().cookies()).toEqual([]);

    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByLabel("Link", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("That was not accepted").waitFor();
    await page.getByLabel("Link", { exact: true }).fill(daemon.link);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForSelector("[data-connection=live]");
    expectNoWrongs(watched);
  });

  test("makes a session, asks a permission and a question, and shows what is stored", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.getByRole("button", { name: "New session" }).first().click();
    await page.fill("#start-prompt", "scenario:approve");
    await page.press("#start-prompt", "Enter");
    await page.waitForSelector("#composer");
    const session = new URL(page.url()).hash.split("/").at(-1)!;

    await untilStatus(page, "waiting");
    await page.getByText("Run a command").waitFor();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await untilSaid(page, "passed-30");
    await untilStatus(page, "idle");

    await send(page, "scenario:question");
    await page.getByLabel("Green").check();
    await page.getByRole("button", { name: "Answer" }).click();
    await untilSaid(page, "You chose: Green.");
    await untilStatus(page, "idle");
    const transcript = await expectSameTranscript(page, daemon, session);
    expect(transcript.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expectNoWrongs(watched);
  });

  test("a denial carries what the person said, and everything can be answered from the list of all asks", async () => {
    const watched = await open("denied");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    await page.getByRole("button", { name: "2 open asks" }).click();
    const panel = page.getByRole("dialog");
    await panel.getByRole("button", { name: "Deny with a reason" }).first().click();
    await panel.getByLabel("What the agent should know").fill("not today");
    await panel.getByRole("button", { name: "Deny with this reason" }).click();
    await panel.getByRole("button", { name: "Allow", exact: true }).last().click();
    await panel.getByText("Nothing waits for you").waitFor();
    await page.keyboard.press("Escape");
    await untilSaid(page, "1 of 2 commands were allowed.");
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "denied");
    await page
      .locator("[data-state-of-call=output-denied] button, [data-state-of-call=output-error] button")
      .first()
      .click();
    await page.getByText("“not today”").waitFor();
    expectNoWrongs(watched);
  });

  test("a reload in the middle goes on where it was", async () => {
    const watched = await open("reloaded", 3);
    const { page } = watched;
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await page.reload();
    await untilSaid(page, "word-200");
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "reloaded");

    await send(page, "scenario:approve");
    await untilStatus(page, "waiting");
    await page.reload();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await untilSaid(page, "passed-30");
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "reloaded");
    expectNoWrongs(watched);
  });

  test("two tabs follow one session, whoever asks and whoever answers", async () => {
    const first = await open("shared");
    const second = await openTab(first.page.context(), daemon.link);
    await showSession(second.page, "shared");

    await send(first.page, "scenario:approve");
    await second.page.getByRole("button", { name: "Allow", exact: true }).click();
    for (const { page } of [first, second]) {
      await untilSaid(page, "passed-30");
      await untilStatus(page, "idle");
      await expectSameTranscript(page, daemon, "shared");
    }
    await send(second.page, "scenario:long");
    await untilSaid(first.page, "word-20 ");
    for (const { page } of [first, second]) await untilSaid(page, "word-200");
    // The agent begins this one by itself.
    await send(first.page, "scenario:background");
    for (const { page } of [first, second]) {
      await untilSaid(page, "The build has succeeded.");
      await untilStatus(page, "idle");
      const transcript = await expectSameTranscript(page, daemon, "shared");
      expect(transcript.at(-2)?.role).toBe("system");
    }
    expectNoWrongs(first, second);
  });

  test("what is sent while a turn runs waits, can be changed, withdrawn or given to the turn", async () => {
    const watched = await open("queued", 30);
    const { page } = watched;
    await send(page, "scenario:hang");
    await untilSaid(page, "Let me think about");
    await send(page, "scenario:echo first");
    await send(page, "scenario:echo second");
    await page.locator("[data-queued]").nth(1).waitFor();
    await page.locator("[data-queued]").first().getByRole("button", { name: "Change" }).click();
    await page.getByLabel("Change the waiting prompt").fill("scenario:echo changed");
    await page.keyboard.press("Enter");
    await page.locator("[data-queued]", { hasText: "changed" }).waitFor();
    await page
      .locator("[data-queued]", { hasText: "second" })
      .getByRole("button", { name: "Withdraw" })
      .click();
    await page.locator("[data-queued]", { hasText: "second" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await page.getByText("1 prompt waits · held").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.locator("[data-role=assistant]", { hasText: "changed" }).waitFor();
    await untilStatus(page, "idle");
    const transcript = await expectSameTranscript(page, daemon, "queued");
    expect(transcript.flatMap(({ content }) => content).join(" ")).not.toContain("second");
    await page.getByText("Stopped", { exact: true }).waitFor();

    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await page.fill("#composer", "a word from the side");
    await page.getByRole("button", { name: "Steer" }).click();
    await page.locator("[data-role=user]", { hasText: "a word from the side" }).waitFor();
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "queued");
    expectNoWrongs(watched);
  });

  test("how a turn failed is said, and the next prompt is taken", async () => {
    const watched = await open("failing");
    const { page } = watched;
    await send(page, "scenario:error");
    await page.getByText("The model is overloaded. Try again in a minute.").waitFor();
    await untilStatus(page, "failed");
    await page.getByRole("button", { name: "Details" }).click();
    await page.getByText("model_overloaded").waitFor();
    const first = await page.locator("[data-role=assistant]").getAttribute("data-message");
    await page.getByRole("button", { name: "Try again" }).click();
    // The agent goes back to before it: there is one answer, and it is another one.
    await page.locator(`[data-message="${first}"]`).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await page.locator("[data-role=user]").count()).toBe(1);
    await page.getByRole("button", { name: "Change model" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Model");
    await page.keyboard.press("Escape");
    await send(page, "scenario:retry");
    await page.getByText("Taken back: the connection to the model was lost.").waitFor();
    await untilStatus(page, "idle");
    // What failed is history now.
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(await page.getByText("the connection to the model was lost").count()).toBe(1);
    await page.getByText("Taken back").click();
    await expectSameTranscript(page, daemon, "failing");
    expectNoWrongs(watched);
  });

  test("while an agent works, one line says for how long and how much it has written", async () => {
    const watched = await open("counted", 60);
    const { page } = watched;
    await send(page, "scenario:rich");
    const line = page.locator("[data-part=working]");
    await line.getByText(/^\d+s$/).waitFor();
    const height = () => line.evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await line.getByText(/^[\d.]+k? tokens?$/).waitFor();
    expect(await height()).toBe(before);
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await untilStatus(page, "idle");
    await line.waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("a call that was stopped did not fail, and a closed session can be gone on from", async () => {
    const watched = await open("given-up");
    const { page } = watched;
    await send(page, "scenario:approve");
    await untilStatus(page, "waiting");
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await untilStatus(page, "idle");
    await page.locator("[data-call]").getByText("Stopped", { exact: true }).waitFor();
    expect(await page.locator("[role=log]").textContent()).not.toMatch(/failed|the turn was stopped/i);
    await daemon.call("PATCH", "/v1/sessions/given-up", { status: "closed" });
    await page.getByRole("button", { name: "Fork to go on" }).click();
    await page.waitForFunction(() => !location.hash.includes("given-up"));
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    expectNoWrongs(watched);
  });

  test("kill -9 and a restart in the middle end in one transcript", async () => {
    const watched = await open("killed", 30);
    const { page, wrongs } = watched;
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await send(page, "scenario:echo I waited for all this");
    await page.locator("[data-queued]").waitFor();
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    // What was shown stays, and nothing claims to go on.
    await untilSaid(page, "word-20 ");
    await page.getByText(/^Not connected · last heard \d+s ago$/).waitFor();
    expect(await page.getByText("Esc stops").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Stop the turn" }).isDisabled()).toBe(true);
    await page.fill("#composer", "later");
    await page.getByRole("button", { name: "Send when back" }).waitFor();
    await page.fill("#composer", "");
    const moves = page.locator(
      "[data-session-status] [role=img], [role=log] *, aside [data-session] [role=img]",
    );
    const moving = (all: Element[]) => all.flatMap((one) => one.getAnimations()).length;
    expect(await moves.evaluateAll(moving)).toBe(0);
    await daemon.restart();
    await page.getByText("Cut off by a restart").waitFor();
    // What waited has run.
    await page.locator("[data-role=assistant]", { hasText: "I waited for all this" }).waitFor();
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "killed");

    await send(page, "scenario:approve");
    await untilStatus(page, "waiting");
    await daemon.kill();
    await daemon.restart();
    await page.getByText("Cut off by a restart").nth(1).waitFor();
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    await untilStatus(page, "idle");
    const transcript = await expectSameTranscript(page, daemon, "killed");
    expect(transcript).toHaveLength(8);
    expect(wrongs).toEqual([]);
  });

  test("a prompt that is sent while there is no daemon is said once there is one", async () => {
    const watched = await open("unsent");
    const { page } = watched;
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    await untilStatus(page, "idle");
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    await send(page, "scenario:echo was it lost?");
    expect(await page.inputValue("#composer")).toBe("scenario:echo was it lost?");
    await daemon.restart();
    await page.locator("[data-role=assistant]", { hasText: "was it lost?" }).waitFor();
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "unsent");
    expectNoWrongs(watched);
  });

  test("a slash lists the agent's commands, and the keys pick one", async () => {
    const watched = await open("by-command");
    const { page } = watched;
    await send(page, "scenario:text");
    await untilStatus(page, "idle");
    const composer = page.locator("#composer");
    await composer.fill("/");
    await page.getByRole("option", { name: "/compact" }).waitFor();
    await page.getByRole("option", { name: "/help" }).waitFor();
    await composer.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await composer.fill("/c");
    await page.getByRole("option", { name: "/compact" }).waitFor();
    await composer.press("Enter");
    expect(await composer.inputValue()).toBe("/compact ");
    await composer.press("Enter");
    await untilSaid(page, "I have summarized the conversation.");
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("settings of the agent are chosen below the prompt", async () => {
    const watched = await open("by-setting");
    const { page } = watched;
    await send(page, "scenario:text");
    await untilStatus(page, "idle");
    await page.getByRole("combobox", { name: "Effort" }).selectOption({ label: "Low" });
    const effort = async () => {
      const { settings } = await daemon.call<SessionDetails>("GET", "/v1/sessions/by-setting");
      return settings?.find(({ id }) => id === "effort")?.value;
    };
    await expect.poll(effort, PATIENT).toBe("low");
    await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "Mock Small" });
    await expect
      .poll(() => daemon.call("GET", "/v1/sessions/by-setting"), PATIENT)
      .toMatchObject({ model: "mock-small" });
    expectNoWrongs(watched);
  });

  test("keys lead everywhere", async () => {
    const watched = await open("by-keys");
    const { page } = watched;
    await page.locator("#composer").blur();
    await page.keyboard.press("/");
    await page.keyboard.type("by-keys");
    await expect.poll(() => page.locator("aside [data-session]").count(), PATIENT).toBe(1);
    await page.keyboard.press("Escape");
    await page.locator("#session-search").blur();
    const first = await page.locator("aside [data-session]").first().getAttribute("data-session");
    for (let step = 0; step < 20; step += 1) await page.keyboard.press("k");
    await expect.poll(() => page.url(), PATIENT).toContain(`/sessions/${first}`);
    await page.locator("#composer").blur();
    await page.keyboard.press("w");
    await page.getByRole("dialog", { name: "Waiting for you" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.getByRole("heading", { name: "New session" }).waitFor();
    expectNoWrongs(watched);
  });
});
