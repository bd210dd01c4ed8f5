/** More sessions than one frame of the feed holds: the page has all of them. */
import { beforeAll, expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, PATIENT, send, untilSaid } from "./watched-page.ts";

const COUNT = 5000;

describePage(
  "many sessions",
  { limits: { requestsPerSecond: 100_000, requestBurst: 100_000 } },
  ({ daemon, show }) => {
    beforeAll(async () => {
      const title = "x".repeat(490);
      await daemon.createSession("oldest", { options: { pace: 0 } });
      for (let first = 0; first < COUNT; first += 50) {
        const ids = Array.from({ length: 50 }, (_, n) => `s${first + n}`);
        await Promise.all(ids.map((id) => daemon.createSession(id, { title, checkpoints: "off" })));
      }
    }, 400_000);

    test("one that has no room in the first frame of the feed can be opened", async () => {
      const frame = await daemon.firstFrame("/v1/feed/sse");
      expect(frame).toMatchObject({ type: "snapshot", sessionCursor: expect.any(String) });
      expect(JSON.stringify(frame)).not.toContain('"oldest"');
      const watched = await show("oldest");
      await send(watched.page, "scenario:text");
      await untilSaid(watched.page, "Hello from the mock agent.");
      expectNoWrongs(watched);
    });

    test("only rows in sight are in the page, and the last one can be reached", async () => {
      const watched = await show("oldest");
      const { page } = watched;
      const rows = page.locator("aside [data-session]");
      await rows.nth(10).waitFor();
      // The first ones were made together, so any of them may be the last row.
      const lastRow = () => rows.last().getAttribute("data-session");
      const scroller = page.locator("aside ul").locator("..");
      await expect
        .poll(async () => {
          await scroller.evaluate((list) => list.scrollTo(0, list.scrollHeight));
          return lastRow();
        }, PATIENT)
        .toMatch(/^s[1-4]?[0-9]$/);
      expect(await rows.count()).toBeLessThan(100);
      const before = await rows.nth(-2).getAttribute("data-session");
      await rows.last().focus();
      await page.keyboard.press("ArrowUp");
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-session"));
      expect(await focused()).toBe(before);
      // The open session keeps its neighbours while it is out of sight: keys go on from there.
      await scroller.evaluate((list) => list.scrollTo(0, 0));
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      await page.locator("aside [data-session][aria-current=page]:not([data-session=oldest])").waitFor();
      expect(await rows.count()).toBeLessThan(100);
      expectNoWrongs(watched);
    });

    test("the page loads the snapshot once, however often the rest of it cannot be fetched", async () => {
      const watched = await show("oldest");
      const { page } = watched;
      let snapshots = 0;
      let failures = 0;
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === "/v1/feed/sse") snapshots += 1;
      });
      await page.route(/\/v1\/sessions\?.*cursor=/, async (route) => {
        if (failures === 3) return route.continue();
        failures += 1;
        await route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" });
      });
      // Not one that the page asked for before it was loaded again.
      const answered = page.waitForResponse(
        (response) => failures === 3 && /\/v1\/sessions\?.*cursor=/.test(response.url()) && response.ok(),
      );
      await page.reload();
      await answered;
      expect([failures, snapshots]).toEqual([3, 1]);
      expectNoWrongs(watched);
    });
  },
);
