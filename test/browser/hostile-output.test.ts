/** Whatever an agent says, nothing of it runs and nothing is loaded from elsewhere. */
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, untilSaid, untilStatus, type Watched } from "./watched-page.ts";

const HOSTILE = [
  "<script>alert('script')</script>",
  "<img src=x onerror=alert('image')>",
  '<img src="https://evil.example/pixel.png">',
  '<svg onload="alert(1)"><script>alert(2)</script><image href="https://evil.example/a.png"/></svg>',
  '<iframe src="javascript:alert(3)"></iframe>',
  '<style>@import "https://evil.example/a.css"; body { background: url(https://evil.example/b.png) }</style>',
  '<a href="javascript:alert(4)" id="html-link">html link</a>',
  "<form action=https://evil.example/form><button>go</button></form>",
  '<link rel="stylesheet" href="https://evil.example/c.css"><base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  "[script link](javascript:alert(5))",
  "[data link](data:text/html;base64,PHNjcmlwdD5hbGVydCg2KTwvc2NyaXB0Pg==)",
  "[case link](JaVaScRiPt:alert(7))",
  "[good link](https://good.example/page)",
  "![picture](https://evil.example/picture.png)",
  '![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDgpIi8+ "x")',
  "<https://evil.example/autolink>",
  "```mermaid\ngraph TD; A[<img src=x onerror=alert(9)>]-->B\n```",
  "```html\n<script>alert(10)</script>\n```",
  "| a | b |\n|---|---|\n| <img src=x onerror=alert(11)> | ![p](https://evil.example/t.png) |",
  "the end of it",
].join("\n\n");

describePage("hostile output", {}, ({ daemon, visit, open }) => {
  async function show(session: string, scenario: string): Promise<Watched> {
    const watched = await open(session, { title: "<img src=x onerror=alert('title')>" });
    await daemon.prompt(session, `${HOSTILE}\n\n${scenario}`);
    await untilSaid(watched.page, "the end of it");
    await untilStatus(watched.page, "idle");
    await watched.page.locator("[data-role=assistant]", { hasText: scenario }).waitFor();
    return watched;
  }

  test.each(["scenario:echo", "scenario:echo-split"])("%s shows it and runs nothing", async (scenario) => {
    const watched = await show(scenario.replace(":", "-"), scenario);
    const { page } = watched;
    const answer = page.locator("[data-role=assistant]").last();
    // Plain until the code that renders Markdown is there: what counts is how that shows it.
    await answer.getByRole("link", { name: "good link" }).waitFor();
    // It is shown, as text.
    await expect.poll(() => answer.textContent(), PATIENT).toContain("<script>alert('script')</script>");
    expect(
      await answer.locator("script, iframe, style, form, link, meta, base, object, embed, svg image").count(),
    ).toBe(0);
    expect(await page.locator("[onerror], [onload], [onclick]").count()).toBe(0);
    const pictures = await page
      .locator("img")
      .evaluateAll((all) => all.map((one) => one.getAttribute("src")));
    expect(pictures).toEqual([]);
    const links = await page
      .locator("[data-message] a")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links.filter((link) => !link?.startsWith("https://"))).toEqual([]);
    expect(links).toContain("https://good.example/page");
    for (const text of ["script link", "case link", "data link"])
      await answer.getByText(text).first().click();
    expect(page.url()).toContain(daemon.origin);
    expectNoWrongs(watched);
  });

  test("tools that put out tricks run nothing, load nothing, hide nothing and break no layout", async () => {
    const ESC = "\u001b";
    const MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>";
    const call = (id: string, kind: string, more: object) => ({
      type: `tool-${kind}`,
      toolCallId: id,
      state: "output-available",
      providerExecuted: true,
      callProviderMetadata: { interlingua: { kind } },
      input: {},
      ...more,
    });
    const diff = `@@ -1,2 +1,2 @@\n-${MARKUP}\n-${"a".repeat(1_000_000)}\n+${MARKUP} more\n+\u202e${"b ".repeat(50_000)}`;
    const parts = [
      call("ansi", "execute", {
        input: { command: `echo ${MARKUP}` },
        output: [
          `${ESC}[30;40mhidden in black${ESC}[0m ${ESC}[8mconcealed${ESC}[0m`,
          `${ESC}]8;;https://evil.example/${ESC}\\a link${ESC}]8;;${ESC}\\ ${ESC}]0;title\u0007`,
          `${ESC}[2J${ESC}[H${ESC}[1000Cmoved ${ESC}P1;1|payload${ESC}\\ ${MARKUP}`,
          "x".repeat(1_000_000),
          `${ESC}[31m.`.repeat(50_000),
        ].join("\n"),
      }),
      { type: "text", text: "between", state: "done" },
      call("edit", "edit", { title: MARKUP, output: "ok" }),
      {
        type: "data-file-edit",
        id: "e",
        data: { path: `/x/${MARKUP}.html`, kind: "changed", diff, call: "edit" },
      },
      { type: "text", text: "again", state: "done" },
      call("search", "search", {
        title: "search",
        output: `a/${"b".repeat(300)}.ts:1:${MARKUP}\nc.ts:2:\u202egnp.exe`,
      }),
      { type: "data-plan", id: "p", data: { entries: [{ text: MARKUP, status: "active" }] } },
      {
        type: "file",
        url: "data:text/html,<script>alert(4)</script>",
        mediaType: "text/html",
        filename: "a.html",
      },
      {
        type: "file",
        url: "data:image/svg+xml,<svg onload='alert(5)'/>",
        mediaType: "image/svg+xml",
        filename: "a.svg",
      },
      {
        type: "text",
        text: `\`\`\`html\n${MARKUP}\n\`\`\`\n\n${"|a".repeat(60)}|\n${"|-".repeat(60)}|\n${`${"|wide".repeat(60)}|\n`.repeat(20)}\n\n\u202eright to left\n\nthe end of it`,
        state: "done",
      },
    ];
    await daemon.createSession("tricks");
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const watched = await visit({ viewport });
      const { page } = watched;
      await page.route("**/api/chat/tricks/messages?*", (route) =>
        route.fulfill({
          json: {
            messages: [{ id: "m", role: "assistant", metadata: { turn: "t", outcome: "completed" }, parts }],
            hasMore: false,
          },
        }),
      );
      await page.waitForSelector("[data-connection=live]", { state: "attached" });
      await page.evaluate(() => {
        location.hash = "/sessions/tricks";
      });
      await untilSaid(page, "the end of it");
      await page.locator("[data-code=html]").waitFor();
      for (const id of ["ansi", "edit", "search"]) {
        const card = page.locator(`[data-call=${id}]`);
        // While rows are measured they may move between press and release, which is no click then.
        await expect
          .poll(async () => {
            const state = await card.getAttribute("data-state");
            if (state === "closed") await card.getByRole("button").first().click();
            return state;
          }, PATIENT)
          .toBe("open");
      }
      const terminal = page.locator("[data-part=terminal]");
      await terminal.getByText("hidden in black").waitFor();
      const shown = (await terminal.textContent()) ?? "";
      expect(shown).toContain("concealed");
      expect(shown).not.toContain("\u001b");
      expect(shown).not.toContain("evil.example");
      // What is written in the colour of the background can be read.
      const [colour, behind] = await terminal.getByText("hidden in black").evaluate((text) => {
        const { color, backgroundColor } = getComputedStyle(text);
        return [color, backgroundColor];
      });
      expect(colour).not.toBe(behind);
      const answer = page.locator("[data-role=assistant]");
      expect(await answer.locator("script, iframe, img, object, embed").count()).toBe(0);
      expect(await page.locator("[onerror], [onload]").count()).toBe(0);
      const links = await answer
        .locator("a")
        .evaluateAll((all) => all.map((one) => [one.getAttribute("download")]));
      expect(links).toEqual([["a.html"], ["a.svg"]]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(25_000);
      expect(await page.locator("[data-fault]").count()).toBe(0);
      expectNoWrongs(watched);
      await page.context().close();
    }
  });

  test("directions and spaces that nobody sees are shown by their names", async () => {
    await daemon.createSession("hidden", { title: "good\u202etxt.exe\u202c" });
    await daemon.prompt("hidden", "scenario:approve");
    await daemon.until("hidden", "waiting");
    const watched = await visit();
    const { page } = watched;
    const command = "rm -rf \u202e/krow\u202c # \u200b\u200bsafe";
    await page.route("**/api/chat/hidden/messages?*", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const { messages, hasMore } = JSON.parse(text);
      for (const message of messages)
        for (const part of message.parts) if (part.toolCallId !== undefined) part.input = { command };
      await route.fulfill({ json: { messages, hasMore } });
    });
    await page.route("**/api/chat/hidden/stream", (route) => route.fulfill({ status: 204 }));
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate(() => {
      location.hash = "/sessions/hidden";
    });
    const card = page.locator("[data-ask]");
    await card.getByText("Contains hidden characters").waitFor();
    expect(await card.locator("[data-command] code").textContent()).toBe(
      "rm -rf U+202E/krowU+202C # U+200B ×2safe",
    );
    expect(await page.locator("h1").textContent()).toBe("goodU+202Etxt.exeU+202C");
    expect(await page.locator("aside [data-session=hidden]").textContent()).not.toContain("\u202e");
    if (process.env.INTERLINGUA_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.INTERLINGUA_SCREENSHOTS}/hidden-characters.png` });
    expectNoWrongs(watched);
  });

  test("the policy stops what would get through", async () => {
    const { page, wrongs } = await visit();
    const failures: string[] = [];
    page.on("requestfailed", (request) => {
      // The page leaves requests to its own daemon when it no longer needs them.
      if (!request.url().startsWith(daemon.origin))
        failures.push(`${request.url()} ${request.failure()?.errorText}`);
    });
    await page.waitForSelector("[data-connection=live]");
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      const picture = document.createElement("img");
      picture.src = "https://evil.example/pixel.png";
      document.body.append(picture);
    });
    await expect
      .poll(() => wrongs.filter((wrong) => wrong.startsWith("policy:")).length, PATIENT)
      .toBeGreaterThanOrEqual(2);
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    expect(failures).toEqual(["https://evil.example/pixel.png csp"]);
  });
});
