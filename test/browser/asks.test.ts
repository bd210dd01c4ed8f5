/** What waits for a person: one card that says it once, and all the ways to answer it. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { findBarriers } from "./find-barriers.ts";
import { settled } from "./looks.ts";
import { expectNoWrongs, PATIENT, send, showSession, untilSaid, untilStatus } from "./watched-page.ts";

declare global {
  interface Window {
    /** Where the card was in each frame since it was there, and for a moment longer. */
    placesOfCard?: () => Promise<number[]>;
    /** The names of the cards that got the focus, one after the other. */
    focusedCards?: string[];
  }
}

/** Runs in the page. */
function noteFocusedCards(): void {
  const cards: string[] = [];
  addEventListener("focusin", ({ target }) => {
    const card = (target as Element).closest("section[data-ask]");
    if (card?.ariaLabel && card.ariaLabel !== cards.at(-1)) cards.push(card.ariaLabel);
  });
  window.focusedCards = cards;
}

/** Runs in the page. */
function watchPlaces(): void {
  const frames = 30;
  const places: number[] = [];
  let wanted = Number.POSITIVE_INFINITY;
  const done = new Promise<number[]>((resolve) => {
    function look() {
      const open = document.querySelector("main section[data-ask]");
      if (open) places.push(Math.round(open.getBoundingClientRect().top));
      if (places.length >= wanted) resolve(places);
      else requestAnimationFrame(look);
    }
    look();
  });
  window.placesOfCard = () => {
    wanted = places.length + frames;
    return done;
  };
}

/** Runs in the page: what the agent asks is another question first. */
function askTwice(): void {
  const own = window.fetch;
  const more = '{"id":"q0","text":"Which size?","options":[{"label":"Small"},{"label":"Large"}]},';
  window.fetch = async (...request) => {
    const response = await own(...request);
    if (!response.body) return response;
    const changed = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform: (text, controller) => controller.enqueue(text.replaceAll('"questions":[', `$&${more}`)),
      }),
    );
    return new Response(changed.pipeThrough(new TextEncoderStream()), response);
  };
}

/** Runs in the page: whatever the feed of all sessions tells comes a moment later. */
function delayFeed(): void {
  const usual = window.fetch;
  window.fetch = async (input, init) => {
    const response = await usual(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes("/v1/feed/sse") || !response.body) return response;
    const later = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        await new Promise((resolve) => setTimeout(resolve, 600));
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(later), response);
  };
}

describePage("asks", {}, ({ daemon, open, show, visit }) => {
  const card = (page: Page) => page.locator("main section[data-ask]").first();

  /** The tests before have come to their ends. */
  async function untilNothingWaits(): Promise<void> {
    const waiting = async () => {
      const { asks } = await daemon.call<{ asks: { session: string }[] }>("GET", "/v1/asks");
      return asks.map(({ session }) => session);
    };
    await expect.poll(waiting, PATIENT).toEqual([]);
  }

  test("a command is shown once, under one title, with short answers", async () => {
    const watched = await open("command");
    const { page } = watched;
    await send(page, "scenario:approve");
    await card(page).waitFor();
    const text = (await card(page).textContent())!;
    expect(text.split("npm test").length - 1).toBe(1);
    expect(await card(page).getByRole("heading").allTextContents()).toEqual(["Run a command"]);
    expect(await card(page).locator("[data-command]").textContent()).toBe("$npm test");
    await card(page).getByText("Runs the tests of this project.").waitFor();
    const names = await card(page)
      .locator("[data-answers]")
      .getByRole("button")
      .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent));
    expect(names).toEqual(["Allowy", "Alwaysa", "Denyd", "Deny with a reason", " Edite"]);
    // What a lasting yes covers is read before it is given.
    await card(page).getByRole("button", { name: "Always" }).click();
    const item = page.getByRole("menuitem");
    expect(await item.textContent()).toBe("Every command, not just this oneUntil this session ends");
    expect(await item.getAttribute("title")).toBe("Allow for this session: run_command");
    await item.click();
    await untilSaid(page, "passed-30");
    await untilStatus(page, "idle");
    await send(page, "scenario:approve");
    await expect.poll(() => page.getByText("passed-30").count(), PATIENT).toBe(2);
    expect(await page.locator("main section[data-ask]").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("a card stays where it is when the list hears of it later", async () => {
    const watched = await open("steady-card");
    const { page } = watched;
    // So low that the conversation is scrolled.
    await page.setViewportSize({ width: 1280, height: 460 });
    await page.addInitScript(delayFeed);
    await page.reload();
    await showSession(page, "steady-card");
    for (const times of [1, 2]) {
      await page.evaluate(watchPlaces);
      await send(page, "scenario:question");
      await card(page).waitFor();
      await untilStatus(page, "waiting");
      const places = await page.evaluate(() => window.placesOfCard!());
      const still = places.findIndex(
        (place, index) => place === places[index + 1] && place === places[index + 2],
      );
      expect(new Set(places.slice(still)).size, `places of card ${times}: ${places.join(", ")}`).toBe(1);
      await card(page).getByLabel("Green").check();
      await card(page).getByRole("button", { name: "Answer" }).click();
      await untilStatus(page, "idle");
      // What is drawn may be a moment behind.
      await card(page).waitFor({ state: "detached" });
    }
    expectNoWrongs(watched);
  });

  test("a change is shown as its diff, and the file is named once", async () => {
    const watched = await open("change");
    const { page } = watched;
    await send(page, "Write it down.");
    await card(page).waitFor();
    expect(await card(page).getByRole("heading").textContent()).toBe("Create a file");
    expect((await card(page).textContent())!.split("interlingua-demo.md").length - 1).toBe(1);
    await card(page).locator("[data-edit]").getByText("# Notes of the mock agent").waitFor();
    await card(page).getByRole("button", { name: "Deny", exact: true }).click();
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("a denial says why", async () => {
    const watched = await open("denied-with-reason");
    const { page } = watched;
    await send(page, "scenario:approve");
    const withReason = card(page).getByRole("button", { name: "Deny with a reason" });
    await withReason.click();
    const field = card(page).getByLabel("What the agent should know");
    await field.waitFor();
    expect(await card(page).locator("[data-answers] button").allTextContents()).toEqual(["Deny", "Cancel"]);
    await card(page).getByRole("button", { name: "Cancel" }).click();
    await withReason.click();
    await page.keyboard.type("The tests are slow");
    await card(page).getByRole("button", { name: "Deny with this reason" }).waitFor();
    await page.keyboard.press("Enter");
    await untilSaid(page, "skipped-30");
    const { asks } = await daemon.call<{ asks: unknown[] }>("GET", "/v1/asks?session=denied-with-reason");
    expect(asks).toEqual([]);
    await page.locator("[data-state-of-call] button").first().click();
    await page.getByText("“The tests are slow”").waitFor();
    expectNoWrongs(watched);
  });

  test("a plan is sent back with what to change, then approved", async () => {
    const watched = await open("plan");
    const { page } = watched;
    await send(page, "scenario:plan");
    await card(page).getByRole("button", { name: "Approve the plan" }).waitFor();
    expect(await card(page).getByRole("heading").first().textContent()).toMatch(/^Plan · \S/);
    await card(page).getByRole("button", { name: "Revise…" }).click();
    await page.keyboard.type("Tests first");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await untilStatus(page, "idle");
    await page.getByText("“Tests first”").waitFor();
    await send(page, "scenario:plan");
    await card(page).getByRole("button", { name: "Approve the plan" }).click();
    await untilStatus(page, "idle");
    expectNoWrongs(watched);
  });

  test("the only ask is answered by a key, as long as nobody types", async () => {
    await untilNothingWaits();
    const watched = await open("by-key");
    const { page } = watched;
    await send(page, "scenario:approve");
    await card(page).waitFor();
    await page.focus("#composer");
    await page.keyboard.press("y");
    expect(await page.inputValue("#composer")).toBe("y");
    expect(await card(page).locator("[data-key]").count()).toBe(0);
    await page.fill("#composer", "");
    await page.locator("#composer").blur();
    await card(page).locator("[data-key=y]").waitFor();
    await page.keyboard.press("y");
    await untilSaid(page, "passed-30");
    await untilStatus(page, "idle");

    await send(page, "scenario:approve");
    await card(page).waitFor();
    await page.locator("#composer").blur();
    await page.keyboard.press("a");
    await page.getByRole("menuitem", { name: "Every command" }).waitFor();
    // While the menu is open other keys answer nothing.
    await page.keyboard.press("y");
    await page.keyboard.press("Escape");
    await page.getByRole("menuitem").waitFor({ state: "detached" });
    await page.keyboard.press("r");
    await page.keyboard.type("no, y and d are letters here");
    await page.keyboard.press("Enter");
    await untilSaid(page, "skipped-30");
    expectNoWrongs(watched);
  });

  test("after a dialog the letters of a sentence are written, and y allows nothing", async () => {
    await untilNothingWaits();
    const watched = await open("sentence");
    const { page } = watched;
    await send(page, "scenario:approve");
    await card(page).waitFor();
    await page.focus("#composer");
    await page.keyboard.type("Also, ");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find or do anything" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#composer:focus").waitFor();
    await page.keyboard.type("yesterday I said no");
    expect(await page.inputValue("#composer")).toBe("Also, yesterday I said no");
    // However the focus came to be nowhere: what is begun comes first.
    await page.locator("#composer").blur();
    expect(await card(page).locator("[data-key]").count()).toBe(0);
    for (const key of ["y", "a", "d"]) await page.keyboard.press(key);
    expect(await page.getByRole("menu").count()).toBe(0);
    const { asks } = await daemon.call<{ asks: unknown[] }>("GET", "/v1/asks?session=sentence");
    expect(asks).toHaveLength(1);
    await page.focus("#composer");
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    await untilSaid(page, "skipped-30");
    expectNoWrongs(watched);
  });

  test("letters for a field that went, and the second of two keys or clicks, answer nothing", async () => {
    await untilNothingWaits();
    await daemon.createSession("not-asked", { title: "Not asked" });
    const watched = await open("meant-for-it", { title: "Meant for it" });
    const { page } = watched;
    const cards = page.locator("main section[data-ask]");
    const openAsks = async () =>
      (await daemon.call<{ asks: { ask: string }[] }>("GET", "/v1/asks?session=meant-for-it")).asks;
    await send(page, "scenario:approve-two");
    await cards.nth(1).waitFor();
    await cards.first().focus();
    await page.keyboard.press("r");
    const reason = page.getByRole("textbox", { name: "What the agent should know" });
    await reason.fill("since");
    // It is there again for whoever looked elsewhere.
    await page.locator('aside [data-session="not-asked"]').click();
    await cards.first().waitFor({ state: "detached" });
    await page.locator('aside [data-session="meant-for-it"]').click();
    expect(await reason.inputValue()).toBe("since");
    await reason.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" you ar");
    const [first] = await openAsks();
    await daemon.call("POST", `/v1/sessions/meant-for-it/asks/${first!.ask}/reply`, { reply: "reject" });
    await reason.waitFor({ state: "detached" });
    await page.keyboard.type("y d");
    expect(await page.inputValue("#composer")).toBe("y d");
    expect(await openAsks()).toHaveLength(1);
    await page.fill("#composer", "");

    // The second click of two at once.
    const allow = card(page).getByRole("button", { name: "Allow", exact: true });
    const isTaken = await allow.evaluate((button) =>
      button.dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true, cancelable: true })),
    );
    expect(isTaken).toBe(false);
    expect(await openAsks()).toHaveLength(1);
    await allow.click();
    await untilSaid(page, "1 of 2 commands were allowed.");
    await untilStatus(page, "idle");
    await send(page, "scenario:approve-two");
    await cards.nth(1).waitFor();
    await cards.first().focus();
    await cards.first().locator("[data-key=y]").waitFor();
    for (const key of ["y", "y"]) await page.keyboard.press(key);
    await expect.poll(() => cards.count(), PATIENT).toBe(1);
    expect(await openAsks()).toHaveLength(1);
    await card(page).locator("[data-key=y]").waitFor();
    await page.keyboard.press("y");
    await untilSaid(page, "2 of 2 commands were allowed.");
    expectNoWrongs(watched);
  });

  test("what could not be loaded cannot be allowed, and is loaded again", async () => {
    await untilNothingWaits();
    await daemon.createSession("not-loaded", { title: "Not loaded" });
    await daemon.prompt("not-loaded", "scenario:approve");
    await daemon.until("not-loaded", "waiting");
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.route("**/api/chat/not-loaded/messages/*", (route) =>
      route.fulfill({ status: 503, json: { status: 503, code: "store_busy", detail: "Not now." } }),
    );
    await page.getByRole("button", { name: "1 open ask" }).first().click();
    const panel = page.getByRole("dialog", { name: "Waiting for you" });
    await panel.getByRole("alert").filter({ hasText: "What it is about could not be loaded" }).waitFor();
    const allow = panel.getByRole("button", { name: "Allow", exact: true });
    expect(await allow.isDisabled()).toBe(true);
    await page.keyboard.press("y");
    await page.unroute("**/api/chat/not-loaded/messages/*");
    await panel.getByRole("button", { name: "Try again" }).click();
    await panel.locator("[data-command]").waitFor();
    expect(await panel.getByRole("alert").count()).toBe(0);
    await allow.click();
    await daemon.until("not-loaded", "idle");
    expectNoWrongs(watched);
  });

  test("while the first of all that waits is loaded it has the focus, and no key answers the one below", async () => {
    await untilNothingWaits();
    for (const [session, scenario] of [
      ["loads-first", "approve"],
      ["below-it", "question"],
    ] as const) {
      await daemon.createSession(session, { title: session });
      await daemon.prompt(session, `scenario:${scenario}`);
      await daemon.until(session, "waiting");
    }
    const watched = await visit();
    const { page } = watched;
    let release: (() => void) | undefined;
    await page.route("**/api/chat/loads-first/messages/**", async (route) => {
      await new Promise<void>((done) => {
        release = done;
      });
      await route.continue();
    });
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate(noteFocusedCards);
    await page.getByRole("button", { name: "2 open asks" }).first().click();
    const panel = page.getByRole("dialog", { name: "Waiting for you" });
    const cards = panel.locator("section[data-ask]");
    await cards.nth(1).waitFor();
    await expect.poll(() => release !== undefined, PATIENT).toBe(true);
    const hasFocus = () => cards.first().evaluate((card) => card === document.activeElement);
    await expect.poll(hasFocus, PATIENT).toBe(true);
    for (const key of ["1", "y", "Enter"]) await page.keyboard.press(key);
    release?.();
    await panel.locator("[data-command]").waitFor();
    await panel.locator("[data-key=y]").waitFor();
    const first = await cards.first().getAttribute("aria-label");
    expect(await page.evaluate(() => window.focusedCards)).toEqual([first]);
    const waiting = async () => {
      const { asks } = await daemon.call<{ asks: { session: string; state: string }[] }>("GET", "/v1/asks");
      return asks.map(({ session, state }) => `${session} ${state}`);
    };
    expect(await waiting()).toEqual(["loads-first open", "below-it open"]);
    await page.keyboard.press("y");
    await expect.poll(waiting, PATIENT).toEqual(["below-it open"]);
    await daemon.call("POST", "/v1/sessions/below-it/interrupt");
    await untilNothingWaits();
    expectNoWrongs(watched);
  });

  test("several questions at once are answered by digits, and a declined one says so", async () => {
    const watched = await open("two-questions");
    const { page } = watched;
    await page.addInitScript(askTwice);
    const replies: string[] = [];
    await page.route("**/asks/*/reply", async (route) => {
      replies.push(route.request().postData()!);
      // The agent asked only one of them.
      await route.continue({ postData: JSON.stringify({ reply: "reject" }) });
    });
    await page.reload();
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await send(page, "scenario:question");
    await card(page).getByText("Which size?").waitFor();
    expect(await card(page).locator("[data-way-to-ask]").textContent()).toBe("Escthen 1");
    await page.keyboard.press("Escape");
    // Those of the first question without an answer, then of the one with the focus.
    const marked = () =>
      card(page)
        .locator("label:has([data-key])")
        .evaluateAll((all) => all.map((one) => one.textContent));
    await expect.poll(marked, PATIENT).toEqual(["Small1", "Large2"]);
    await page.keyboard.press("1");
    await page.keyboard.press("2");
    expect(await card(page).getByLabel("Large").isChecked()).toBe(true);
    await card(page).focus();
    await expect.poll(async () => (await marked()).length, PATIENT).toBe(2);
    await page.keyboard.press("1");
    expect(await card(page).getByLabel("Blue").isChecked()).toBe(true);
    await page.keyboard.press("Enter");
    await untilSaid(page, "You did not answer");
    expect(replies).toEqual([JSON.stringify({ answers: { q0: ["Large"], q1: ["Blue"] } })]);
    await page.getByText("Declined by you").waitFor();
    expectNoWrongs(watched);
  });

  test("a session is opened with the first of its asks in focus; a, Enter allows for good, which is listed", async () => {
    await untilNothingWaits();
    await daemon.createSession("nothing-asked", { title: "Nothing asked" });
    // The first one below those that wait.
    await daemon.call("PATCH", "/v1/sessions/nothing-asked", { pinned: true });
    const watched = await open("two-opened", { title: "Sailing boats" });
    const { page } = watched;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-ask"));
    const cards = page.locator("main section[data-ask]");
    const leave = async () => {
      await page.locator('aside [data-session="nothing-asked"]').first().click();
      await cards.first().waitFor({ state: "detached" });
    };
    await send(page, "scenario:approve-two");
    await cards.nth(1).waitFor();
    const [first, second] = await cards.evaluateAll((all) => all.map(({ dataset }) => dataset.ask));
    await leave();
    await page.locator('aside [data-session="two-opened"]').first().click();
    await expect.poll(focused, PATIENT).toBe(first);
    await leave();
    await page.goBack();
    await expect.poll(focused, PATIENT).toBe(first);
    await leave();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sailing");
    await page.getByRole("option", { name: "Sailing boats" }).first().waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(focused, PATIENT).toBe(first);
    await leave();
    await page.locator("#composer").blur();
    await page.keyboard.press("k");
    await expect.poll(focused, PATIENT).toBe(first);
    await cards.first().locator("[data-key=a]").waitFor();
    // Its reach is seen before.
    await page.keyboard.press("a");
    await page.getByRole("menuitem", { name: "Every command" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(focused, PATIENT).toBe(second);
    await page.locator(`section[data-ask="${second}"] [data-key=y]`).waitFor();
    await page.keyboard.press("y");
    await untilSaid(page, "2 of 2 commands were allowed.");
    await untilStatus(page, "idle");

    // What was allowed for good is listed, and the next call says why nobody was asked.
    await send(page, "scenario:approve");
    await untilSaid(page, "passed-30");
    expect(await card(page).count()).toBe(0);
    const call = page.locator("main [data-call]").last();
    await call.getByRole("button").click();
    await call.getByText("Allowed before, for this session, by you").waitFor();
    expect(await page.locator("[data-allowed-before]").count()).toBe(1);
    await page.getByRole("button", { name: "Always allowed here: 1" }).click();
    const list = page.getByRole("dialog", { name: "Always allowed here" });
    await list.getByText("Every command", { exact: true }).waitFor();
    await list.getByText(/^You, .* · ends with the session$/).waitFor();
    expect(await list.locator("p").count()).toBe(3);
    await settled(page);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");

    // On a phone it is among the settings.
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const other = await show("two-opened", phone);
    await other.page.getByRole("button", { name: "Settings of the agent" }).click();
    const settings = other.page.getByRole("dialog", { name: "Settings of the agent" });
    await settings.getByText("Every command", { exact: true }).waitFor();
    await settled(other.page);
    expect(await findBarriers(other.page)).toEqual([]);
    expectNoWrongs(watched, other);
  });

  test("of several asks a key answers the one that has the focus, and no other", async () => {
    const watched = await open("two-by-key");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    const cards = page.locator("main section[data-ask]");
    await cards.nth(1).waitFor();
    await page.locator("#composer").blur();
    await page.keyboard.press("y");
    expect(await daemon.call("GET", "/v1/asks?session=two-by-key")).toMatchObject({
      asks: [{ state: "open" }, { state: "open" }],
    });
    await cards.nth(1).focus();
    // It means something else.
    await page.keyboard.press("w");
    await page.getByRole("dialog", { name: "Waiting for you" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await cards.nth(1).focus();
    await page.keyboard.press("d");
    await expect.poll(() => cards.count(), PATIENT).toBe(1);
    await cards.first().focus();
    await cards.first().locator("[data-key=y]").waitFor();
    await page.keyboard.press("y");
    await untilSaid(page, "1 of 2 commands were allowed.");
    const { asks } = await daemon.call<{ asks: unknown[] }>("GET", "/v1/asks?session=two-by-key");
    expect(asks).toEqual([]);
    expectNoWrongs(watched);
  });

  test("several asks of a session can be answered at once", async () => {
    const watched = await open("all-at-once");
    const { page } = watched;
    await send(page, "scenario:approve-two");
    const cards = page.locator("main section[data-ask]");
    await cards.nth(1).waitFor();
    expect(await cards.getByRole("heading").allTextContents()).toEqual([
      expect.stringContaining("1 of 2"),
      expect.stringContaining("2 of 2"),
    ]);
    // Once for all of them, and on a phone two rows of answers, with the rest in a menu.
    expect(await cards.getByRole("button", { name: "Allow all 2" }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    const answers = card(page).locator("[data-answers]").getByRole("button");
    expect(await answers.count()).toBe(4);
    const rows = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(rows).size).toBe(2);
    await answers.and(page.getByRole("button", { name: "More answers" })).click();
    await page.getByRole("menuitem", { name: "Deny with a reason…" }).waitFor();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await card(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Allow all 2" }).click();
    expect(await page.getByRole("menu").getByRole("listitem").allTextContents()).toHaveLength(2);
    await page.getByRole("menuitem", { name: "Allow both" }).click();
    await untilSaid(page, "2 of 2 commands were allowed.");
    expectNoWrongs(watched);
  });

  test("an ask that somebody answers elsewhere says by whom before it goes", async () => {
    await untilNothingWaits();
    await daemon.createSession("by-another", { title: "By another" });
    await daemon.prompt("by-another", "scenario:approve");
    await daemon.until("by-another", "waiting");
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.getByRole("button", { name: "1 open ask" }).first().click();
    const panel = page.getByRole("dialog", { name: "Waiting for you" });
    await panel.locator("[data-command]").waitFor();
    const { asks } = await daemon.call<{ asks: { ask: string }[] }>("GET", "/v1/asks?session=by-another");
    await daemon.call("POST", `/v1/sessions/by-another/asks/${asks[0]!.ask}/reply`, { reply: "once" });
    const left = panel.locator("[data-left-ask]");
    await left.getByText("by you").waitFor();
    await panel.getByText("Nothing waits for you").waitFor();
    expectNoWrongs(watched);
  });

  test("a session that waits is opened from the list, and the key on Allow allows, unless something was being written", async () => {
    for (const id of ["waits-too", "opened"]) {
      await daemon.createSession(id, { title: id });
      await daemon.prompt(id, "scenario:approve");
      await daemon.until(id, "waiting");
    }
    const watched = await visit();
    const { page } = watched;
    const row = (id: string) => page.locator(`aside [data-session="${id}"]`).first();
    // It opens a list, and answers nothing.
    await page.getByRole("button", { name: /^Review \d+$/ }).waitFor();
    // Another session waits too: it is not in sight.
    await row("opened").click();
    await card(page).locator("[data-key=y]").waitFor();
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-ask"))).toBe(true);
    await page.keyboard.press("y");
    await untilSaid(page, "passed-30");
    // What was begun to be written comes first.
    await row("waits-too").click();
    await card(page).locator("[data-key=y]").waitFor();
    await page.fill("#composer", "and then");
    await row("opened").click();
    await untilStatus(page, "idle");
    await row("waits-too").click();
    await card(page).waitFor();
    expect(await page.inputValue("#composer")).toBe("and then");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("composer");
    expect(await card(page).locator("[data-key]").count()).toBe(0);
    // Escape leads to the ask, which says so, and ends nothing. Enter does so where there is nothing to send.
    expect(await card(page).locator("[data-way-to-ask]").textContent()).toBe("Escthen y");
    await page.keyboard.press("Escape");
    await card(page).locator("[data-key=d]").waitFor();
    expect(await card(page).locator("[data-way-to-ask]").count()).toBe(0);
    await page.fill("#composer", "");
    await page.keyboard.press("Enter");
    await card(page).locator("[data-key=d]").waitFor();
    await page.keyboard.press("d");
    await untilSaid(page, "skipped-30");
    expectNoWrongs(watched);
  });

  test("a command is changed before it is allowed, and what ran is shown, with what was proposed", async () => {
    await untilNothingWaits();
    const watched = await open("edited-command");
    const { page } = watched;
    await send(page, "scenario:approve");
    await card(page).waitFor();
    await page.locator("#composer").blur();
    await page.keyboard.press("e");
    const field = card(page).getByLabel("Command", { exact: true });
    expect(await field.inputValue()).toBe("npm test");
    // What is typed is text here: no key answers.
    await page.keyboard.press("End");
    await page.keyboard.type(" -- --dry");
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    expect(await card(page).locator("[data-command]").textContent()).toBe("$npm test");
    // The keys work again, and begin with what the agent wants.
    await page.keyboard.press("e");
    expect(await field.inputValue()).toBe("npm test");
    await field.fill("  ");
    await card(page).getByRole("button", { name: "Allow", exact: true }).click();
    await card(page).getByRole("alert").getByText("There is no command.").waitFor();
    await field.fill("npm run lint");
    await page.keyboard.press("Control+Enter");
    await untilSaid(page, "passed-30");
    const line = page.locator("[data-state-of-call] button").first();
    expect(await line.textContent()).toContain("npm run lint");
    expect(await line.textContent()).toContain("edited");
    expect(await line.textContent()).not.toContain("npm test");
    await line.click();
    await page.getByText("Edited by the owner before it ran").click();
    await page.getByText("The agent proposed").waitFor();
    expect(await page.locator("[data-edited] pre").textContent()).toBe("npm test");
    const { events } = await daemon.call<{ events: { type: string }[] }>(
      "GET",
      "/v1/sessions/edited-command/events?limit=1000",
    );
    expect(events.filter(({ type }) => type === "tool.input")).toMatchObject([
      { input: { command: "npm test" } },
      { input: { command: "npm run lint" }, by: "owner (page)" },
    ]);
    // From the store it reads the same.
    await page.reload();
    await untilSaid(page, "passed-30");
    expect(await line.textContent()).toContain("npm run lint");
    await line.click();
    await page.getByText("Edited by the owner before it ran").waitFor();
    expectNoWrongs(watched);
  });

  test("the text of a file is changed before it is written", async () => {
    const watched = await open("edited-file");
    const { page } = watched;
    await send(page, "Write it down.");
    await card(page).getByRole("button", { name: "Edit" }).click();
    const field = card(page).getByLabel("Add", { exact: true });
    await field.fill("- Something else\n");
    await card(page).getByRole("button", { name: "Allow", exact: true }).click();
    await untilStatus(page, "idle");
    await page.locator("[data-edit]").getByText("Something else").first().waitFor();
    await page.getByText("Edited by the owner before it ran").waitFor();
    expectNoWrongs(watched);
  });

  test("what is edited and left as it was is allowed as it was", async () => {
    const watched = await open("edited-nothing");
    const { page } = watched;
    await send(page, "scenario:approve");
    await card(page).getByRole("button", { name: "Edit" }).click();
    await card(page).getByLabel("Command", { exact: true }).waitFor();
    await card(page).getByRole("button", { name: "Allow", exact: true }).click();
    await untilSaid(page, "passed-30");
    await page.locator("[data-state-of-call] button").first().click();
    expect(await page.locator("[data-edited]").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("everything that waits has the same cards, and shows what it is about before it can be allowed", async () => {
    await untilNothingWaits();
    await daemon.createSession("elsewhere", { title: "Elsewhere" });
    await daemon.prompt("elsewhere", "scenario:approve");
    await daemon.until("elsewhere", "waiting");
    const watched = await visit();
    const { page } = watched;
    let release: (() => void) | undefined;
    await page.route("**/api/chat/elsewhere/messages/**", async (route) => {
      await new Promise<void>((done) => {
        release = done;
      });
      await route.continue();
    });
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.getByRole("button", { name: "1 open ask" }).first().click();
    const panel = page.getByRole("dialog", { name: "Waiting for you" });
    const allow = panel.getByRole("button", { name: "Allow", exact: true });
    await allow.waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await expect.poll(() => release !== undefined, PATIENT).toBe(true);
    release?.();
    await panel.locator("[data-command]").waitFor();
    expect(await panel.getByRole("heading", { level: 3 }).allTextContents()).toEqual(["Run a command"]);
    // Edit has no line of its own: it is in the menu.
    const answers = panel.locator("[data-answers]").getByRole("button");
    expect(await answers.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))).toEqual([
      "Allowy",
      "Alwaysa",
      "Denyd",
      "Deny with a reason",
      "More answers",
    ]);
    const tops = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await answers.last().click();
    await page.getByRole("menuitem", { name: "Edit…" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    // The only one, in sight: no focus is needed.
    await page.keyboard.press("y");
    await panel.getByText("Nothing waits for you").waitFor();
    await page.keyboard.press("Escape");
    await showSession(page, "elsewhere");
    await untilSaid(page, "passed-30");
    expectNoWrongs(watched);
  });
});
