/** Draws the icons of the installed page from its mark, with the browser of the tests: `npx node test/browser/write-icons.ts`. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./open-browser.ts";

const PUBLIC = join(import.meta.dirname, "../../web/public");

/** A maskable icon may be cut to a circle: it is filled to its edges, and what counts is in the middle. */
const ICONS = [
  { name: "icon-192", size: 192, isMaskable: false },
  { name: "icon-512", size: 512, isMaskable: false },
  { name: "maskable-512", size: 512, isMaskable: true },
] as const;

const browser = await openBrowser();
if (!browser) throw new Error("There is no browser to draw with.");
try {
  const mark = await readFile(join(PUBLIC, "favicon.svg"), "utf8");
  const color = /<rect[^>]+fill="(#\w+)"/.exec(mark)![1]!;
  await mkdir(join(PUBLIC, "icons"), { recursive: true });
  for (const { name, size, isMaskable } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const scale = isMaskable ? "scale(0.8)" : "none";
    await page.setContent(
      `<style>body { margin: 0; ${isMaskable ? `background: ${color}` : ""} } svg { display: block; width: ${size}px; transform: ${scale} }</style>${mark}`,
    );
    await page.screenshot({ path: join(PUBLIC, `icons/${name}.png`), omitBackground: true });
  }
} finally {
  await browser.close();
}
