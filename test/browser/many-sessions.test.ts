/** More sessions than one frame of the feed holds: the page has all of them. */
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, send, untilSaid } from "./watched-page.ts";

const COUNT = 2500;

describePage("many sessions", {}, ({ daemon, show }) => {
  test("one that has no room in the first frame of the feed cannot be opened", async () => {
    const title = "x".repeat(490);
    await daemon.createSession("oldest", { options: { pace: 0 } });
    for (let first = 0; first < COUNT; first += 50) {
      const ids = Array.from({ length: 50 }, (_, n) => `s${first + n}`);
      await Promise.all(ids.map((id) => daemon.createSession(id, { title })));
    }
    const frame = await daemon.firstFrame("/v1/feed/sse");
    expect(frame).toMatchObject({ type: "snapshot", sessionCursor: expect.any(String) });
    expect(JSON.stringify(frame)).not.toContain('"oldest"');
    const watched = await show("oldest");
    await send(watched.page, "scenario:text");
    await untilSaid(watched.page, "Hello from the mock agent.");
    expectNoWrongs(watched);
  });

  test("the page loads the snapshot again and again while the rest of it cannot be fetched", async () => {
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
});
