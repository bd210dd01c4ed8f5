/**
 * How many keys and clicks it takes from a cold page to done, for what people do most. The numbers stand in
 * docs/reference/page-effort.md, with those of the page before; it may take no more than is written there.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startScriptedModel, text } from "../../src/testkit/scripted-model/index.ts";
import { describePage } from "./describe-page.ts";
import { Hand } from "./hand.ts";
import { PATIENT, untilSaid } from "./watched-page.ts";

const TABLE = resolve(import.meta.dirname, "../../docs/reference/page-effort.md");
/** A session as a real agent has it: with a model that says hello. */
const model = await startScriptedModel({ scripts: { hello: [[text("Hello from the model.")]] } });
const config = {
  allowHosts: ["box.example.com"],
  providers: { scripted: { url: `${model.url}/v1`, models: ["first"] } },
};
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describePage("effort", config, ({ daemon, visit, follow }) => {
  afterAll(() => model.close());

  async function cold(): Promise<Hand> {
    const { page } = await visit();
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    return new Hand(page);
  }

  /** No more than the table says, which has the clicks, the keys and the characters in its last column but one. */
  async function expectAsWritten(flow: string, ...hands: Hand[]): Promise<void> {
    const rows = (await readFile(TABLE, "utf8")).split("\n").filter((line) => line.startsWith(`| ${flow} |`));
    const [, , , now = ""] = rows[0]?.split("|").map((cell) => cell.trim()) ?? [];
    const effort = { clicks: 0, keys: 0, characters: 0 };
    for (const hand of hands)
      for (const kind of ["clicks", "keys", "characters"] as const) effort[kind] += hand[kind];
    const said = Object.entries(effort)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`)
      .join(", ");
    expect(said, `${flow}: ${hands.flatMap(({ steps }) => steps).join("; ")}`).toBe(now);
  }

  test("start", async () => {
    await mkdir(join(daemon.project, "renderer"));
    const hand = await cold();
    const { page } = hand;
    await page.locator("#start-prompt").waitFor();
    await hand.click("Agent", page.getByRole("button", { name: /^Agent: / }));
    await hand.click("Model agent", page.getByRole("option", { name: /^Model agent/ }));
    await hand.click("Directory", page.getByRole("button", { name: /^Directory: / }));
    const list = page.getByRole("listbox", { name: "Directories" });
    await hand.click("atlas", list.locator(`[data-act=go][data-directory="${daemon.project}"]`));
    await hand.click("renderer", list.getByRole("option", { name: "renderer", exact: true }));
    await hand.click("Use renderer", list.getByRole("option", { name: "Use renderer" }));
    await expect.poll(() => page.evaluate(() => document.activeElement?.id), PATIENT).toBe("start-prompt");
    await hand.say("[[hello]]");
    await hand.press("Enter");
    await untilSaid(page, "Hello from the model.");
    await expectAsWritten("start with an agent in a directory", hand);
    // The choices are kept: in a new tab the field has the focus.
    const next = await page.context().newPage();
    await next.goto(`${daemon.origin}/`);
    await next.getByRole("button", { name: "Directory: renderer" }).waitFor();
    await expect.poll(() => next.evaluate(() => document.activeElement?.id), PATIENT).toBe("start-prompt");
    const again = new Hand(next);
    await again.say("[[hello]]");
    await again.press("Enter");
    await untilSaid(next, "Hello from the model.");
    await expectAsWritten("the same again", again);
  });

  test("approve", async () => {
    await daemon.createSession("edit", { title: "Cache tiles" });
    await daemon.prompt("edit", "Please cache tiles.");
    await daemon.until("edit", "waiting");
    const hand = await cold();
    await hand.press("Control+k");
    await hand.page.getByRole("option", { name: "1 ask waits for you" }).waitFor();
    await hand.press("Enter");
    await hand.page.getByRole("dialog", { name: "Waiting for you" }).locator("[data-key=y]").waitFor();
    await hand.press("y");
    await daemon.until("edit", "idle");
    await expectAsWritten("approve an edit, by keys", hand);
    await daemon.prompt("edit", "Please cache tiles.");
    await daemon.until("edit", "waiting");
    const mouse = await cold();
    await mouse.click("1 open ask", mouse.page.getByRole("button", { name: "1 open ask" }).first());
    await mouse.click(
      "Allow",
      mouse.page.getByRole("dialog").getByRole("button", { name: "Allow", exact: true }),
    );
    await daemon.until("edit", "idle");
    await expectAsWritten("approve an edit, by mouse", mouse);
  });

  test("answer", async () => {
    await daemon.createSession("ask", { title: "Restyle" });
    await daemon.prompt("ask", "scenario:question");
    await daemon.until("ask", "waiting");
    const hand = await cold();
    await hand.press("Control+k");
    await hand.page.getByRole("option", { name: "1 ask waits for you" }).waitFor();
    await hand.press("Enter");
    const dialog = hand.page.getByRole("dialog", { name: "Waiting for you" });
    await dialog.locator('[data-key="2"]').waitFor();
    await hand.press("2");
    expect(await dialog.getByLabel("Green").isChecked()).toBe(true);
    await hand.press("Enter");
    await daemon.until("ask", "idle");
    await expectAsWritten("answer a question, by keys", hand);
  });

  test("undo", async () => {
    await daemon.createSession("files", { title: "Change files" });
    await daemon.prompt("files", "scenario:files");
    await daemon.until("files", "idle");
    const hand = await cold();
    await hand.click("the session", hand.page.locator("aside [data-session=files]").first());
    await hand.click("Undo this turn", hand.page.getByRole("button", { name: "Undo this turn" }).first());
    const dialog = hand.page.getByRole("dialog", { name: "Undo this turn?" });
    await hand.click("Delete or put back", dialog.getByRole("button", { name: /^(Delete|Put back) \d/ }));
    await hand.page.locator("[data-toast]").waitFor();
    await expectAsWritten("undo a turn", hand);
  });

  test("find", async () => {
    await daemon.createSession("old");
    await daemon.prompt("old", "scenario:echo the zanzibar migration of the importer");
    await daemon.until("old", "idle");
    for (let n = 0; n < 300; n++) await daemon.createSession(`later-${n}`, { title: `Task ${n}` });
    const hand = await cold();
    await hand.press("Control+k");
    await hand.type("a word of it", "zanzibar");
    await hand.page
      .getByRole("option", { name: /zanzibar/ })
      .first()
      .waitFor();
    await hand.press("Enter");
    await untilSaid(hand.page, "zanzibar");
    await expectAsWritten("find an old session by a word that was said", hand);
  });

  test("phone", async () => {
    await daemon.createSession("work", { title: "Work" });
    const hand = await cold();
    await hand.click("the session", hand.page.locator("aside [data-session=work]").first());
    await hand.click("Open on my phone", hand.page.getByRole("button", { name: "Open on my phone" }));
    await hand.page.getByRole("button", { name: "Show the code" }).waitFor();
    await hand.press("Enter");
    const link = await hand.page.getByLabel("Link", { exact: true }).inputValue();
    const phone = await follow(link.replace("https://box.example.com", daemon.origin), PHONE);
    await phone.page.getByRole("heading", { name: "Work" }).waitFor();
    await expectAsWritten("hand work to the phone", hand);
  });
});
