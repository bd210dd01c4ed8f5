/** The page as something that is installed and left open: its files, what its service worker keeps, and what it survives. */
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectSameTranscript } from "./transcript.ts";
import { expectNoWrongs, PATIENT, send, untilSaid, untilStatus } from "./watched-page.ts";

const BUILT = resolve(import.meta.dirname, "../../web/dist");

const INSTALLED = { serviceWorkers: "allow" };

declare global {
  interface Window {
    /** Nothing comes any more over the connections that are open now, and nobody is told. */
    cutStreams?: () => void;
  }
}

/** Runs in the page. */
function cutStreams(): void {
  const usual = window.fetch;
  let cuts = 0;
  window.cutStreams = () => {
    cuts += 1;
  };
  window.fetch = async (input, init) => {
    const response = await usual(input, init);
    const before = cuts;
    const source = response.body?.getReader();
    if (!source) return response;
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        signal?.addEventListener("abort", () => controller.error(signal.reason));
        while (true) {
          const { done, value } = await source.read();
          if (cuts !== before) return;
          if (done) return controller.close();
          controller.enqueue(value);
        }
      },
    });
    return new Response(body, response);
  };
}

describePage("installed page", {}, ({ daemon, visit, open, show }) => {
  test("it can be installed: a manifest with icons, all from the daemon", async () => {
    const watched = await visit(INSTALLED);
    const { page } = watched;
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]")!;
      const response = await fetch(link.href);
      const content = await response.json();
      const icons = await Promise.all(
        content.icons.map(async ({ src, sizes }: { src: string; sizes: string }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return { src, isRight: sizes === "any" || sizes === `${image.width}x${image.height}` };
        }),
      );
      return { type: response.headers.get("content-type"), content, icons };
    });
    expect(manifest.type).toBe("application/manifest+json");
    expect(manifest.content).toMatchObject({ name: "Interlingua", start_url: "/", display: "standalone" });
    expect(manifest.content.icons.some(({ purpose }: { purpose?: string }) => purpose === "maskable")).toBe(
      true,
    );
    expect(manifest.icons.filter(({ isRight }) => !isRight)).toEqual([]);
    expectNoWrongs(watched);
  });

  test("the service worker keeps hashed files and nothing else, whatever the page does", async () => {
    const watched = await open("kept", {}, INSTALLED);
    const { page } = watched;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForSelector("#composer");
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), PATIENT)
      .toBe(true);
    await send(page, "scenario:rich");
    await untilStatus(page, "idle");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const paths: string[] = [];
        const texts: string[] = [];
        for (const name of names) {
          const cache = await caches.open(name);
          for (const request of await cache.keys()) {
            paths.push(new URL(request.url).pathname);
            texts.push(JSON.stringify([...request.headers]));
            texts.push(await (await cache.match(request))!.text());
          }
        }
        return { paths, all: texts.join("\n") };
      });
    await expect.poll(async () => (await kept()).paths.length, PATIENT).toBeGreaterThan(1);
    const { paths, all } = await kept();
    expect(paths.filter((path) => !/^\/assets\/[\w-]+-[\w-]{8}\.(js|css)$/.test(path))).toEqual([]);
    expect(all).not.toContain(daemon.token);
    // A file that was kept needs no daemon, and everything else does.
    const path = paths.find((path) => path.endsWith(".js"))!;
    await page.context().setOffline(true);
    expect(await page.evaluate(async (file) => (await fetch(file)).status, path)).toBe(200);
    for (const other of ["/", "/v1/health", "/v1/sessions"]) {
      expect(
        await page.evaluate(
          (file) =>
            fetch(file).then(
              ({ status }) => status,
              () => "refused",
            ),
          other,
        ),
        other,
      ).toBe("refused");
    }
    await page.context().setOffline(false);
    expectNoWrongs(watched);
  });

  test("a restart of the daemon is survived and said, and a prompt can be sent at once", async () => {
    const watched = await open("restarted", {}, INSTALLED);
    const { page } = watched;
    await send(page, "scenario:text");
    await untilSaid(page, "Hello from the mock agent.");
    await untilStatus(page, "idle");
    await page.fill("#composer", "scenario:echo still here");
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    await daemon.restart();
    await page.getByText("Interlingua was restarted.").first().waitFor();
    await page.waitForSelector("[data-connection=live]");
    expect(await page.inputValue("#composer")).toBe("scenario:echo still here");
    await page.press("#composer", "Enter");
    await untilSaid(page, "still here");
    expect(await page.getByText("There is a new version").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("what is first opened without a connection comes by itself once there is one", async () => {
    await daemon.createSession("seen-before", { title: "Seen before" });
    await daemon.prompt("seen-before", "scenario:text");
    await daemon.until("seen-before", "idle");
    const watched = await open("opened-late", { options: { pace: 5 } });
    const { page } = watched;
    // Nothing is loaded ahead.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    await page.reload();
    await page.waitForSelector("#composer");
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    const notLoaded = page.locator("[data-not-loaded]", { hasText: "Not loaded yet: no connection." });
    await page.keyboard.press("Escape");
    await page.locator("main").press("f");
    await notLoaded.waitFor();
    await page.locator("aside [data-session=seen-before]").click();
    await notLoaded.waitFor();
    expect(await page.getByText("Nothing was said yet").count()).toBe(0);
    await page.evaluate(() => {
      location.hash = "/usage";
    });
    await notLoaded.waitFor();
    await daemon.restart();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.locator("aside [data-session=seen-before]").click();
    await untilSaid(page, "Hello from the mock agent.");
    await page.getByRole("button", { name: "Attach" }).first().waitFor();
    await page.locator("aside [data-session=opened-late]").click();
    await page.getByText("Cut off by a restart").last().waitFor();
    expect(await page.locator("[data-fault], [data-not-loaded]").count()).toBe(0);
    expect(await page.getByText("There is a new version").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("a session that was opened without a connection has its settings once there is one", async () => {
    await daemon.createSession("first-seen-lost", { title: "First seen lost" });
    await daemon.prompt("first-seen-lost", "scenario:text");
    await daemon.until("first-seen-lost", "idle");
    const watched = await open("before-it");
    const { page } = watched;
    await page.locator("aside [data-session=first-seen-lost]").waitFor();
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    await page.locator("aside [data-session=first-seen-lost]").click();
    await page.locator("main [data-not-loaded]", { hasText: "Not loaded yet: no connection." }).waitFor();
    await daemon.restart();
    await untilSaid(page, "Hello from the mock agent.");
    await page.locator("input[type=file]").waitFor({ state: "attached" });
    await page.getByRole("combobox", { name: "Permissions" }).waitFor();
    expectNoWrongs(watched);
  });

  test("an archived session that is looked at stays as it is when the connection comes back", async () => {
    await daemon.createSession("in-the-archive", { title: "In the archive" });
    await daemon.call("PATCH", "/v1/sessions/in-the-archive", { archived: true });
    const watched = await show("in-the-archive");
    const { page } = watched;
    await page.getByRole("heading", { name: "In the archive" }).waitFor();
    await page.locator("#composer").evaluate((field) => field.setAttribute("data-same", ""));
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    await daemon.restart();
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    expect(await page.locator("#composer[data-same]").count()).toBe(1);
    await daemon.call("DELETE", "/v1/sessions/in-the-archive");
    await page.locator("#composer").waitFor({ state: "detached" });
    expectNoWrongs(watched);
  });

  test("once it has come to rest every view is there without the daemon", async () => {
    const watched = await open("rested");
    const { page } = watched;
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1)));
    for (const name of ["usage-view", "files-panel", "palette-list", "xray-panel"])
      await expect
        .poll(async () => (await loaded()).some((file) => file?.startsWith(name)), PATIENT)
        .toBe(true);
    await daemon.kill();
    await page.getByText("Connection lost").waitFor();
    await page.evaluate(() => {
      location.hash = "/usage";
    });
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await daemon.restart();
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    expect(await page.locator("[data-fault]").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("a session that a restart cut off is named and marked in the list until it is opened", async () => {
    await daemon.createSession("cut-by-restart", { title: "Half a story" });
    await daemon.prompt("cut-by-restart", "scenario:hang");
    // It is running, too, while its prompt waits: that would simply run after the restart.
    const log = () => daemon.call("GET", "/v1/sessions/cut-by-restart/events");
    await expect.poll(async () => JSON.stringify(await log()), PATIENT).toContain('"prompt.dispatched"');
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    await daemon.kill();
    await daemon.restart();
    await page.getByText("“Half a story” was cut off.").first().waitFor();
    const row = page.locator("aside [data-session=cut-by-restart]");
    const mark = row.getByRole("img", { name: "Cut off by a restart" });
    await mark.getByText("cut off", { exact: true }).waitFor();
    await page.reload();
    await mark.waitFor();
    // It stands with what needs somebody, in the list and at the start.
    await page.getByRole("region", { name: "Needs you" }).locator("[data-session=cut-by-restart]").waitFor();
    expect(await page.locator("aside h3").first().textContent()).toBe("Needs you");
    await row.click();
    await page.getByText("Cut off by a restart").waitFor();
    await mark.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Cut off by a restart").waitFor();
    expect(await mark.count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("a new version is offered when the daemon comes back with one, and reloading takes it", async () => {
    const file = join(BUILT, "index.html");
    const html = await readFile(file, "utf8");
    const entry = (await readdir(join(BUILT, "assets"))).find((name) =>
      html.includes(`src="/assets/${name}"`),
    )!;
    const renamed = entry.replace(/\.js$/, "-newer.js");
    const watched = await open("versioned", {}, INSTALLED);
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]");
    // Only what is served to this page changes: others run against the same build.
    const isPage = (url: URL) => url.pathname === "/";
    await page.route(isPage, (route) =>
      route.fulfill({ contentType: "text/html", body: html.replace(entry, renamed) }),
    );
    await daemon.kill();
    await daemon.restart();
    await page.getByText("There is a new version of this page.").first().waitFor();
    await page.unroute(isPage);
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Reload" }).click();
    await loaded;
    await page.waitForSelector("#composer");
    expectNoWrongs(watched);
  });

  test("after a sleep the page is brought up to date and says how long it was", async () => {
    await daemon.createSession("slept", { title: "Slept" });
    const watched = await visit(INSTALLED);
    const { page } = watched;
    await page.clock.install();
    await page.goto(`${daemon.origin}/#/sessions/slept`);
    await page.reload();
    await page.waitForSelector("[data-connection=live]");
    await daemon.prompt("slept", "scenario:echo said meanwhile");
    await page.clock.fastForward(45 * 60_000);
    await page.getByText("This page slept for 45m").first().waitFor();
    await untilSaid(page, "said meanwhile");
    // It was another connection, and the same daemon.
    expect(await page.getByText("Interlingua was restarted").count()).toBe(0);
    expectNoWrongs(watched);
  });

  test("an answer whose connection died in a sleep is read on over another one", async () => {
    const watched = await open("died-asleep", { options: { pace: 5 } });
    const { page } = watched;
    await page.clock.install();
    await page.addInitScript(cutStreams);
    await page.reload();
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await send(page, "scenario:long");
    await untilSaid(page, "word-20 ");
    await page.evaluate(() => window.cutStreams!());
    await daemon.until("died-asleep", "idle");
    await page.clock.fastForward(45 * 60_000);
    await untilStatus(page, "idle");
    await expectSameTranscript(page, daemon, "died-asleep");
    expectNoWrongs(watched);
  });

  test("a daemon that is not heard of is asked again, although no connection broke", async () => {
    const watched = await visit();
    const { page } = watched;
    await page.clock.install();
    await page.addInitScript(cutStreams);
    await page.reload();
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    await page.evaluate(() => window.cutStreams!());
    const again = page.waitForRequest("**/v1/feed/sse?*");
    await page.clock.fastForward(50_000);
    // It goes on where the feed broke off.
    expect(new URL((await again).url()).searchParams.get("after")).toMatch(/^[\w-]+\.\d+$/);
    await daemon.createSession("after-silence", { title: "After the silence" });
    await page.locator("aside").getByText("After the silence").waitFor();
    expectNoWrongs(watched);
  });
});
