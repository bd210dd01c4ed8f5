/** X-ray on the page: entries of the log from all sides, the recording as a file, and the session once more. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { SessionEvent, Xray } from "../../web/src/api/types.ts";
import { describePage } from "./describe-page.ts";
import { FOLDER, flaws, LOOKS, settled } from "./looks.ts";
import { expectNoWrongs, PATIENT, type Watched } from "./watched-page.ts";

describePage("X-ray", {}, ({ daemon, visit, follow }) => {
  const session = "looked-through";
  let log: SessionEvent[] = [];

  beforeAll(async () => {
    await daemon.createSession(session, { title: "Look through it", options: { pace: 0 } });
    await daemon.prompt(session, "scenario:rich");
    await daemon.until(session, "idle");
    await daemon.prompt(session, "scenario:approve");
    await daemon.until(session, "waiting");
    const { asks } = await daemon.call<{ asks: { ask: string }[] }>("GET", `/v1/asks?session=${session}`);
    await daemon.call("POST", `/v1/sessions/${session}/asks/${asks[0]!.ask}/reply`, { option: "allow" });
    await daemon.until(session, "idle");
    log = (await daemon.call<{ events: SessionEvent[] }>("GET", `/v1/sessions/${session}/events?limit=1000`))
      .events;
  });

  async function show(watched: Promise<Watched>, path: string): Promise<Watched> {
    const { page } = await watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `/sessions/${session}/${path}`);
    return watched;
  }

  const column = (page: Page, name: string) => page.getByRole("region", { name });

  const seqOf = (type: SessionEvent["type"]) => log.find((event) => event.type === type)!.seq;

  test("shows what the agent said, the events and what clients get, and moves by keys", async () => {
    const seq = seqOf("tool.output");
    const entry = await daemon.call<Xray>("GET", `/v1/sessions/${session}/xray?seq=${seq}`);
    const watched = await show(visit(), `xray/${seq}`);
    const { page } = watched;
    await page.waitForSelector(`[data-xray="${seq}"]`);
    await column(page, "Agent").getByText('"event": "call_output"').waitFor();
    await column(page, "Events").getByText(`${seq} tool.output`).waitFor();
    await column(page, "Clients").getByText("tool-output-available").waitFor();
    await page.getByLabel("Protocol").selectOption("unified");
    await column(page, "Clients").getByText("message_id").first().waitFor();

    await page.getByRole("button", { name: "Next entry" }).click();
    await page.waitForSelector(`[data-xray="${entry.next}"]`);
    expect(new URL(page.url()).hash).toBe(`#/sessions/${session}/xray/${entry.next}`);
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(`[data-xray="${entry.events.at(-1)!.seq}"]`);
    await page.keyboard.press("Home");
    await page.waitForSelector('[data-xray="1"]');
    await column(page, "Agent").getByText("a person or the daemon did this").waitFor();
    await page.getByLabel("Entry", { exact: true }).fill(String(seqOf("ask.opened")));
    await page.keyboard.press("Enter");
    await page.waitForSelector(`[data-xray="${seqOf("ask.opened")}"]`);
    await page.getByRole("button", { name: "Newest" }).click();
    await page.waitForSelector(`[data-xray="${log.length}"]`);
    expectNoWrongs(watched);
  });

  test("lists all entries, narrows them down, and is reached from a message and from a call", async () => {
    const watched = await show(visit(), "");
    const { page } = watched;
    const call = log.find((event) => event.type === "tool.start")!;
    await page.locator("[data-call]").first().hover();
    await page.getByRole("link", { name: "Show this call in X-ray" }).first().click();
    await page.waitForSelector(`[data-xray="${call.seq}"]`);
    await page.locator(`[data-entry="${call.seq}"][aria-current]`).waitFor();
    const rows = page.locator("[data-entry]");
    // Only what is in sight is in the page.
    expect(await rows.count()).toBeLessThan(log.length);
    await page.getByLabel("Filter the entries").fill("ask.");
    const wanted = log.filter(({ type }) => type.startsWith("ask.")).map(({ seq }) => String(seq));
    await expect
      .poll(() => rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-entry"))), PATIENT)
      .toEqual(wanted);
    await rows.last().click();
    await page.waitForSelector(`[data-xray="${wanted.at(-1)}"]`);
    await column(page, "Events").locator(".hljs-string, [class*=hljs]").first().waitFor();

    const { messages } = await daemon.call<{ messages: { id: string; firstSeq: number }[] }>(
      "GET",
      `/v1/sessions/${session}/messages`,
    );
    const last = messages.at(-1)!;
    await page.getByRole("button", { name: "Close the panel" }).click();
    await page.locator(`[data-message="${last.id}"]`).hover();
    await page.locator(`[data-message="${last.id}"]`).getByRole("button", { name: "Show in X-ray" }).click();
    await page.waitForSelector(`[data-xray="${last.firstSeq}"]`);
    expectNoWrongs(watched);
  });

  test("follows a turn, however long the answers take and however much is said", async () => {
    await daemon.createSession("streams");
    await daemon.prompt("streams", "scenario:burst:100000000");
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    // The answers take as long as the feed needs to tell three times that the session went on.
    await page.route(/\/v1\/sessions\/streams\/(xray|events)/, async (route) => {
      await page.waitForTimeout(300);
      await route.continue();
    });
    await page.evaluate(() => {
      location.hash = "/sessions/streams/xray";
    });
    await page.getByRole("navigation", { name: "Entries of the log" }).getByRole("link").first().waitFor();
    const shown = async () => Number(await page.locator("[data-xray]").getAttribute("data-xray"));
    const first = await shown();
    await expect.poll(shown, PATIENT).toBeGreaterThan(first);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await daemon.call("POST", "/v1/sessions/streams/interrupt", {});
    await daemon.until("streams", "idle");
    expectNoWrongs(watched);
  });

  test("the conversation comes back beside it, and stays so", async () => {
    const watched = await show(visit(), "xray/1");
    const { page } = watched;
    await page.waitForSelector('[data-xray="1"]');
    expect(await page.locator("#composer").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show the conversation beside it" }).click();
    await page.locator("#composer").waitFor();
    await page.reload();
    await page.waitForSelector('[data-xray="1"]');
    await page.locator("#composer").waitFor();
    expectNoWrongs(watched);
  });

  test("the recording is a file that has every line", async () => {
    const watched = await show(visit(), "xray");
    const { page } = watched;
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Recording" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${session}.recording.jsonl`);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    const { raws } = await daemon.call<{ raws: unknown[] }>("GET", `/v1/sessions/${session}/raw?limit=1000`);
    expect(lines).toHaveLength(raws.length);
    expectNoWrongs(watched);
  });

  test("replays the session at any speed, in steps, and answers nothing", async () => {
    const watched = await show(visit(), "xray");
    const { page } = watched;
    await page.getByRole("tab", { name: "Replay" }).click();
    await page.getByText(`0 of ${log.length}`).waitFor();
    const replay = page.getByRole("log", { name: "Replay" });

    // Where the ask was open: what it asks is there, and no button to answer it.
    await page.getByLabel("Place in the session").fill(String(seqOf("ask.opened")));
    await page.locator(`[data-replayed="${seqOf("ask.opened")}"]`).waitFor();
    await replay.getByText("scenario:approve").waitFor();
    expect(await replay.getByRole("button", { name: /^(Allow|Deny)/ }).count()).toBe(0);
    await page.getByRole("button", { name: "One entry back" }).click();
    await page.locator(`[data-replayed="${seqOf("ask.opened") - 1}"]`).waitFor();
    await page.getByRole("button", { name: "To the beginning" }).click();
    expect(await replay.locator("[data-message]").count()).toBe(0);

    await page.getByLabel("Speed").selectOption("100");
    await page.getByRole("button", { name: "Play" }).click();
    await page.locator(`[data-replayed="${log.length}"]`).waitFor();
    await replay.getByText("passed-30").waitFor();
    await page.getByRole("button", { name: "Play" }).waitFor();
    const { messages } = await daemon.call<{ messages: { id: string }[] }>(
      "GET",
      `/v1/sessions/${session}/messages`,
    );
    const shown = replay.locator("[data-message]");
    expect(await shown.evaluateAll((all) => all.map((each) => each.getAttribute("data-message")))).toEqual(
      messages.map(({ id }) => id),
    );
    await page.getByRole("button", { name: "Inspect" }).click();
    await page.waitForSelector(`[data-xray="${log.length}"]`);
    expect((await daemon.call<{ head: number }>("GET", `/v1/sessions/${session}`)).head).toBe(log.length);
    expectNoWrongs(watched);
  });

  test("who may not read raw records is not offered it", async () => {
    const { token } = await daemon.call<{ token: string }>("POST", "/v1/tokens", {
      name: "operator",
      role: "operator",
    });
    const watched = await show(follow(`${daemon.origin}/#token=${token}`), "xray");
    await watched.page.locator("#composer").waitFor();
    expect(await watched.page.locator("[data-panel]").count()).toBe(0);
    await show(Promise.resolve(watched), "files");
    await watched.page.locator("[data-panel=files]").waitFor();
    expect(await watched.page.getByRole("link", { name: "X-ray" }).count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("as it looks", async () => {
    await mkdir(FOLDER, { recursive: true });
    for (const { name, options } of LOOKS) {
      const watched = await show(visit(options), `xray/${seqOf("tool.output")}`);
      const { page } = watched;
      await column(page, "Clients").locator("pre").first().waitFor();
      await settled(page);
      await page.screenshot({ path: join(FOLDER, `xray-${name}.png`) });
      expect(await flaws(page), name).toEqual([]);
      await page.getByRole("tab", { name: "Replay" }).click();
      await page.getByText(`0 of ${log.length}`).waitFor();
      await page.getByLabel("Place in the session").fill(String(seqOf("ask.opened") + 8));
      await page.locator(`[data-replayed="${seqOf("ask.opened") + 8}"]`).waitFor();
      await settled(page);
      await page.screenshot({ path: join(FOLDER, `replay-${name}.png`) });
      expect(await flaws(page), name).toEqual([]);
      expectNoWrongs(watched);
      await page.close();
    }
  });
});
