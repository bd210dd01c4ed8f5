/**
 * The moving picture of the README, from the page as it is: a prompt, an approval by key, what changed, and undo.
 *
 *     npm run build:web && node test/browser/record-demo.ts docs/images/page-demo.gif
 *
 * Needs ffmpeg on the PATH.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { settled } from "./looks.ts";
import { openBrowser } from "./open-browser.ts";
import { PageDaemon } from "./page-daemon.ts";

const SIZE = { width: 1120, height: 700 };
/** How long a frame stays at most: waiting for the machine is not shown, reading is. */
const LONGEST_STEP = 0.35;

interface Frame {
  file: string;
  /** When it was drawn, in seconds. */
  at: number;
  /** For people to read it, in seconds. */
  rest: number;
}

class Recording {
  readonly #folder: string;
  readonly #cdp: CDPSession;
  readonly #frames: Frame[] = [];
  #writing = Promise.resolve();

  constructor(folder: string, cdp: CDPSession) {
    this.#folder = folder;
    this.#cdp = cdp;
  }

  async start(): Promise<void> {
    this.#cdp.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
      const file = join(this.#folder, `${this.#frames.length}.png`);
      this.#frames.push({ file, at: metadata.timestamp ?? 0, rest: 0 });
      this.#writing = this.#writing.then(() => writeFile(file, data, "base64"));
      void this.#cdp.send("Page.screencastFrameAck", { sessionId });
    });
    await this.#cdp.send("Page.startScreencast", { format: "png" });
  }

  /** What is in sight now stays for so many seconds. */
  async rest(page: Page, seconds: number): Promise<void> {
    await settled(page);
    await page.waitForTimeout(300);
    this.#frames.at(-1)!.rest += seconds;
  }

  async write(target: string): Promise<void> {
    await this.#cdp.send("Page.stopScreencast");
    await this.#writing;
    const list = this.#frames.map(({ file, at, rest }, index) => {
      const next = this.#frames[index + 1]?.at ?? at;
      return `file '${file}'\nduration ${(Math.min(next - at, LONGEST_STEP) + rest).toFixed(3)}`;
    });
    const names = join(this.#folder, "frames.txt");
    await writeFile(names, `${list.join("\n")}\nfile '${this.#frames.at(-1)!.file}'\n`);
    const colours =
      "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
    const input = ["-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", names];
    execFileSync("ffmpeg", [...input, "-vf", `fps=10,mpdecimate,${colours}`, "-fps_mode", "vfr", target]);
  }
}

const target = process.argv[2];
if (!target)
  throw new Error("Name the file to write: node test/browser/record-demo.ts docs/images/page-demo.gif");
const folder = await mkdtemp(join(tmpdir(), "interlingua-demo-"));
const browser = (await openBrowser())!;
const daemon = new PageDaemon();
try {
  await daemon.start();
  const context = await browser.newContext({ viewport: SIZE, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(daemon.link);
  await page.waitForSelector("[data-connection=live]", { state: "attached" });
  await page.locator("textarea").first().waitFor();
  const recording = new Recording(folder, await context.newCDPSession(page));
  await play(page, recording);
  await recording.write(target);
} finally {
  await browser.close();
  await daemon.close();
  await rm(folder, { recursive: true, force: true });
}

async function play(page: Page, recording: Recording): Promise<void> {
  await recording.start();
  const field = page.locator("textarea").first();
  await field.click();
  await recording.rest(page, 0.8);
  await field.pressSequentially("Cache rendered tiles on disk and note it in the docs.", { delay: 35 });
  await recording.rest(page, 0.5);
  await page.keyboard.press("Enter");
  await page.locator("main section[data-ask] [data-edit]").first().waitFor();
  await recording.rest(page, 2.5);
  await page.keyboard.press("Escape");
  await page.keyboard.press("y");
  await page.waitForSelector("[data-session-status=idle]", { state: "attached" });
  await recording.rest(page, 2);
  await page.evaluate(() => {
    location.hash = `${location.hash}/files`;
  });
  const panel = page.getByRole("complementary", { name: "Files" });
  await panel.locator("[data-edit]").first().waitFor();
  await recording.rest(page, 1.5);
  await panel.getByRole("button", { name: "Undo all" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^(?:Delete|Put back) \d/ })
    .waitFor();
  await recording.rest(page, 1.5);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^(?:Delete|Put back) \d/ })
    .click();
  await page.locator("[data-toast]", { hasText: "Undone in" }).waitFor();
  await recording.rest(page, 2.5);
}
