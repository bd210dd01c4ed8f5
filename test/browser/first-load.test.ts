/** What a browser has to load before it shows a conversation. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { expectNoWrongs, untilSaid } from "./watched-page.ts";

const BUILT = resolve(import.meta.dirname, "../../web/dist");

/** As it is on the wire where it is compressed, in bytes of gzip. */
const MAX_FIRST_LOAD_BYTES = 300_000;
/** With what reads Markdown, which every conversation needs sooner or later. */
const MAX_CONVERSATION_BYTES = 350_000;

async function compressedBytes(names: readonly string[]): Promise<number> {
  const files = await Promise.all(names.map((name) => readFile(join(BUILT, name))));
  return files.reduce((sum, file) => sum + gzipSync(file).byteLength, 0);
}

test("index.html names less than 300 kB of scripts and styles", async () => {
  const html = await readFile(join(BUILT, "index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name!);
  expect(named.some((name) => name.endsWith(".css"))).toBe(true);
  const bytes = await compressedBytes(named);
  console.info(`first load: ${(bytes / 1000).toFixed(0)} kB gzip in ${named.length} files`);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES);
});

describePage("first load", {}, ({ daemon, visit }) => {
  test("a conversation with Markdown needs less than 350 kB", async () => {
    await daemon.createSession("loaded");
    await daemon.prompt("loaded", "a **bold** word and `code`, scenario:echo");
    await daemon.until("loaded", "idle");
    const watched = await visit();
    const { page } = watched;
    await page.waitForSelector("[data-connection=live]", { state: "attached" });
    // What the start loads is not counted.
    await page.locator("#start-prompt").waitFor();
    const loaded = new Set<string>();
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (/\.(?:js|css)$/.test(pathname)) loaded.add(pathname.slice(1));
    });
    // As a bookmark opens it.
    await page.evaluate(() => history.replaceState(null, "", "#/sessions/loaded"));
    await page.reload();
    await untilSaid(page, "a bold word");
    await page.locator("[data-role=assistant] strong", { hasText: "bold" }).waitFor();
    const bytes = await compressedBytes([...loaded]);
    console.info(`a conversation: ${(bytes / 1000).toFixed(0)} kB gzip in ${loaded.size} files`);
    expect(loaded.size).toBeGreaterThan(3);
    expect(bytes).toBeLessThan(MAX_CONVERSATION_BYTES);
    expectNoWrongs(watched);
  });
});
