/** What was said is changed, asked for again, copied, quoted and folded. */
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectSameTranscript } from "./transcript.ts";
import { expectNoWrongs, PATIENT, send, untilSaid, untilStatus } from "./watched-page.ts";

const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describePage("rewriting", {}, ({ daemon, open, show, follow }) => {
  test("a prompt is changed and sent again in its place; its files go with it, and what came after is taken back", async () => {
    await daemon.createSession("edited");
    await daemon.call("POST", "/v1/sessions/edited/messages", {
      parts: [
        { type: "text", text: "scenario:echo first draft" },
        { type: "file", url: PICTURE, mediaType: "image/png", filename: "dot.png" },
      ],
    });
    await daemon.until("edited", "idle");
    await daemon.prompt("edited", "scenario:echo a second one");
    await daemon.until("edited", "idle");
    const watched = await show("edited");
    const { page } = watched;
    await untilSaid(page, "a second one");
    const first = page.locator("[data-role=user]").first();
    const id = await first.getAttribute("data-message");
    await first.hover();
    await first.getByRole("button", { name: "Edit" }).click();
    const field = page.getByRole("textbox", { name: "Change the prompt" });
    expect(await field.inputValue()).toBe("scenario:echo first draft");
    // Escape leaves it as it was.
    await field.fill("scenario:echo never sent");
    await field.press("Escape");
    await first.getByText("first draft").waitFor();
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Edit");
    await first.getByRole("button", { name: "Edit" }).click();
    await field.fill("scenario:echo final draft");
    await field.press("Enter");
    await page.locator("[data-role=assistant]", { hasText: "final draft" }).waitFor();
    await untilStatus(page, "idle");
    const transcript = await expectSameTranscript(page, daemon, "edited");
    expect(transcript).toHaveLength(2);
    expect(transcript[0]).toMatchObject({ id, content: ["scenario:echo final draft"] });
    await page.locator("[data-role=user]").getByRole("img", { name: "dot.png" }).waitFor();
    expectNoWrongs(watched);
  });

  test("a changed prompt whose turn fails was sent, and does not come back", async () => {
    const watched = await open("changed-fails");
    const { page } = watched;
    await send(page, "scenario:echo fine");
    await untilStatus(page, "idle");
    const prompt = page.locator("[data-role=user]");
    await prompt.hover();
    await prompt.getByRole("button", { name: "Edit" }).click();
    const field = page.getByRole("textbox", { name: "Change the prompt" });
    await field.fill("scenario:error");
    await field.press("Enter");
    await page.getByText("The model is overloaded. Try again in a minute.").waitFor();
    await untilStatus(page, "failed");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await page.inputValue("#composer")).toBe("");
    expect(await page.locator("[data-unsent]").count()).toBe(0);
    expect(await expectSameTranscript(page, daemon, "changed-fails")).toHaveLength(2);
    expectNoWrongs(watched);
  });

  test("Escape ends the word that an input method composes, not the change", async () => {
    const watched = await open("composing");
    const { page } = watched;
    await send(page, "scenario:echo before");
    await untilSaid(page, "before");
    await untilStatus(page, "idle");
    const prompt = page.locator("[data-role=user]");
    await prompt.hover();
    await prompt.getByRole("button", { name: "Edit" }).click();
    const field = page.getByRole("textbox", { name: "Change the prompt" });
    await field.fill("scenario:echo after");
    await field.dispatchEvent("keydown", { key: "Escape", isComposing: true });
    expect(await field.inputValue()).toBe("scenario:echo after");
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("the last answer can be asked for again", async () => {
    const watched = await open("again");
    const { page } = watched;
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    await untilStatus(page, "idle");
    const answer = page.locator("[data-role=assistant]");
    const before = await answer.getAttribute("data-message");
    await answer.getByRole("button", { name: "Answer again" }).click();
    await expect.poll(() => answer.first().getAttribute("data-message"), PATIENT).not.toBe(before);
    await untilStatus(page, "idle");
    await untilSaid(page, "Hello from the mock agent.");
    const transcript = await expectSameTranscript(page, daemon, "again");
    expect(transcript).toHaveLength(2);
    expectNoWrongs(watched);
  });

  test("a change that the daemon refuses leaves the conversation, and comes back to the one who wrote it", async () => {
    const watched = await open("refused");
    const { page } = watched;
    await send(page, "scenario:echo as it was");
    await page.locator("[data-role=assistant]", { hasText: "as it was" }).waitFor();
    await untilStatus(page, "idle");
    await page.route("**/api/chat", (route) =>
      route.fulfill({ status: 503, contentType: "text/plain", body: "The disk is full." }),
    );
    const prompt = page.locator("[data-role=user]");
    await prompt.hover();
    await prompt.getByRole("button", { name: "Edit" }).click();
    const field = page.getByRole("textbox", { name: "Change the prompt" });
    await field.fill("scenario:echo as it should be");
    await field.press("Enter");
    await page.getByText("The disk is full.").waitFor();
    await expect.poll(() => page.inputValue("#composer"), PATIENT).toBe("scenario:echo as it should be");
    await page.locator("[data-role=assistant]", { hasText: "as it was" }).waitFor();
    await expectSameTranscript(page, daemon, "refused");
    expectNoWrongs(watched);
  });

  test("what an agent took back is neither copied nor quoted", async () => {
    const watched = await open("retracted", {}, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = watched;
    await send(page, "scenario:retry");
    const answer = page.locator("[data-role=assistant]");
    await answer.getByText("Taken back").waitFor();
    await untilStatus(page, "idle");
    await answer.getByRole("button", { name: "Copy", exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()), PATIENT)
      .toBe("The answer is forty-two.");
    await answer.getByRole("button", { name: "Quote" }).click();
    await expect
      .poll(() => page.inputValue("#composer").then((text) => text.trim()), PATIENT)
      .toBe("> The answer is forty-two.");
    expectNoWrongs(watched);
  });

  test("an answer is copied, quoted, linked to and folded", async () => {
    const watched = await open("handled", {}, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = watched;
    await send(page, "**bold** words, scenario:echo");
    const answer = page.locator("[data-role=assistant]");
    await answer.getByText("words, scenario:echo").waitFor();
    await untilStatus(page, "idle");
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await answer.getByRole("button", { name: "Copy", exact: true }).click();
    await expect.poll(clipboard, PATIENT).toBe("**bold** words, scenario:echo");
    await answer.getByRole("button", { name: "Quote" }).click();
    await expect
      .poll(() => page.inputValue("#composer"), PATIENT)
      .toContain("> **bold** words, scenario:echo");
    await answer.getByRole("button", { name: "Copy link" }).click();
    const id = await answer.getAttribute("data-message");
    await expect.poll(clipboard, PATIENT).toBe(`${daemon.origin}/#/sessions/handled/messages/${id}`);
    await answer.getByRole("button", { name: "Collapse" }).click();
    await answer.locator("[data-part=text]").waitFor({ state: "detached" });
    await answer.getByRole("button", { name: /Show$/ }).click();
    await answer.locator("[data-part=text]").waitFor();
    expectNoWrongs(watched);
  });

  test("who may only watch is offered nothing of it", async () => {
    await daemon.createSession("watched");
    await daemon.prompt("watched", "scenario:text");
    await daemon.until("watched", "idle");
    const { token } = await daemon.call<{ token: string }>("POST", "/v1/tokens", {
      name: "reader",
      role: "observer",
    });
    const watched = await follow(`${daemon.origin}/#token=${token}`);
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate(() => {
      location.hash = "/sessions/watched";
    });
    await untilSaid(page, "Hello from the mock agent.");
    await page.getByRole("button", { name: "Copy", exact: true }).last().waitFor();
    for (const name of ["Edit", "Answer again", "Quote"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
    expectNoWrongs(watched);
  });
});
