/** `interlingua open`: the file it gives a browser leads a real one to the page. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { describePage } from "./describe-page.ts";
import { PATIENT, untilSaid } from "./watched-page.ts";

const PROGRAM = resolve(import.meta.dirname, "../../bin/interlingua.js");

describePage("interlingua open", {}, ({ daemon, visit }) => {
  test("shows the session, and keeps the token out of the address and the history", async () => {
    await daemon.createSession("opened", { options: { pace: 0 } });
    await daemon.prompt("opened", "scenario:echo here it is");
    const file = await fileOf(["open", "opened"]);
    const { page } = await visit();
    const tab = await page.context().newPage();
    try {
      await tab.goto(pathToFileURL(file).href, { waitUntil: "commit" });
      await untilSaid(tab, "here it is");
    } finally {
      await rm(dirname(file), { recursive: true });
    }
    await expect.poll(() => tab.url(), PATIENT).toBe(`${daemon.origin}/#/sessions/opened`);
    await tab.goBack().catch(() => {});
    expect(tab.url()).not.toContain(daemon.token);
  });

  /** What the command gave to the program in the place of the browser. */
  async function fileOf(words: string[]): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "interlingua-opener-"));
    const opener = join(folder, "opener");
    await writeFile(opener, '#!/bin/sh\nprintf "%s" "$1" > "$0.file"\n');
    await chmod(opener, 0o755);
    const environment = { INTERLINGUA_URL: daemon.link, BROWSER: opener };
    try {
      await promisify(execFile)(process.execPath, [PROGRAM, ...words], {
        env: { ...process.env, ...environment },
      });
      return await readFile(`${opener}.file`, "utf8");
    } finally {
      await rm(folder, { recursive: true });
    }
  }
});
