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

  test("the policy stops what would get through", async () => {
    const { page, wrongs } = await visit();
    const failures: string[] = [];
    page.on("requestfailed", (request) => failures.push(`${request.url()} ${request.failure()?.errorText}`));
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
