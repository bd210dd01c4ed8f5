/** Unpacks the browser once, before the test files that share it. */
import { unpackBrowser } from "./open-browser.ts";

export default async function unpack(): Promise<void> {
  if (process.env.INTERLINGUA_NO_BROWSER !== "1") await unpackBrowser();
}
