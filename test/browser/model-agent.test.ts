/** Sessions with a bare model on the page: chosen before the first prompt, and its tools read as a person reads them. */
import { afterAll, expect, test } from "vitest";
import { startScriptedModel, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, send, untilSaid, untilStatus } from "./watched-page.ts";

const model = await startScriptedModel({
  scripts: {
    commands: [
      [toolCall("run_command", { command: "printf 'one\\ntwo\\n'; echo oh >&2; exit 3" })],
      [toolCall("read_file", { path: "README.md" })],
      [text("Looked.")],
    ],
    question: [
      [toolCall("ask_user", { question: "Which colour?", options: [{ label: "Blue" }, { label: "Green" }] })],
      [toolCall("propose_plan", { plan: "1. Paint\n2. Dry" })],
      [text("Painted.")],
    ],
  },
});

const config = { providers: { scripted: { url: `${model.url}/v1`, models: ["first", "second"] } } };

describePage("the page with a model", config, ({ daemon, open, visit }) => {
  afterAll(() => model.close());

  test("the model of a new session can be chosen before its first prompt", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.getByRole("button", { name: "New session" }).first().click();
    await page.getByRole("button", { name: /^Agent: / }).click();
    await page.getByRole("option", { name: /^Model agent/ }).click();
    await page.getByRole("button", { name: /^Settings: / }).click();
    await page.getByLabel("Model", { exact: true }).selectOption("scripted/second");
    await page.keyboard.press("Escape");
    await page.fill("#start-prompt", "Hello");
    await page.press("#start-prompt", "Enter");
    await page.waitForSelector("#composer");
    const session = new URL(page.url()).hash.split("/").at(-1)!;
    expect(await daemon.call("GET", `/v1/sessions/${session}`)).toMatchObject({ model: "scripted/second" });
    expectNoWrongs(watched);
  });

  test("a command that failed shows its exit code on its row, and its output as text", async () => {
    const watched = await open("commands", {
      agent: "model",
      model: "scripted/first",
      permissionMode: "bypass",
    });
    const { page } = watched;
    await send(page, "[[commands]]");
    await untilSaid(page, "Looked.");
    await untilStatus(page, "idle");
    const [command, file] = await page.locator("[data-call]").all();
    await command!.getByText("Exit 3", { exact: true }).waitFor();
    // It is open, since it failed, and its command stands there once: in its line.
    await command!.getByRole("button", { name: /printf/ }).waitFor();
    expect(await command!.locator("pre code").count()).toBe(0);
    await expect
      .poll(() => command!.locator("pre samp").allTextContents(), PATIENT)
      .toEqual(["one\ntwo\n", expect.stringMatching(/:oh\n$/)]);
    await file!.getByRole("button").first().click();
    await expect
      .poll(() => file!.locator("pre").allTextContents(), PATIENT)
      .toEqual(["# Atlas\n\nMaps for people who walk.\n"]);
    expectNoWrongs(watched);
  });

  test("a question and a plan are shown once, not again as JSON", async () => {
    const watched = await open("questions", { agent: "model", model: "scripted/first", mode: "plan" });
    const { page } = watched;
    await send(page, "[[question]]");
    await page.getByLabel("Green").check();
    expect(await page.getByText("Input", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    expect(await page.getByText("Input", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await untilSaid(page, "Painted.");
    expectNoWrongs(watched);
  });

  test("a session without a title goes by its first prompt in the list", async () => {
    await daemon.createSession("untitled");
    await daemon.prompt("untitled", "Find the broken bridge");
    const watched = await visit();
    await watched.page
      .locator("aside [data-session=untitled]", { hasText: "Find the broken bridge" })
      .waitFor();
    await daemon.createSession("later");
    await watched.page.locator("aside [data-session=later]", { hasText: "New session" }).waitFor();
    await daemon.prompt("later", "# Count the **boats**\n\nThose in the harbour only.");
    await watched.page
      .locator("aside [data-session=later]")
      .getByText("Count the boats", { exact: true })
      .waitFor();
    expectNoWrongs(watched);
  });
});
