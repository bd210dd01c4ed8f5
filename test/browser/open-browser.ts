/** A real browser that needs nothing of the system: Chromium from npm, with the libraries it may miss. */
import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { writeFontConfiguration } from "./fonts.ts";

/** Undefined where none can run; then it says so, loudly, and the tests are skipped. */
export async function openBrowser(): Promise<Browser | undefined> {
  try {
    return await chromium.launch(await launchOptions());
  } catch (error) {
    console.warn(
      `\n!!! THE BROWSER TESTS ARE SKIPPED: no browser can be started here.\n!!! ${(error as Error).message.split("\n")[0]}\n` +
        "!!! Set INTERLINGUA_TEST_CHROME to the path of Chrome or Chromium to run them.\n",
    );
    return undefined;
  }
}

async function launchOptions() {
  const installed = process.env.INTERLINGUA_TEST_CHROME;
  if (installed) return { executablePath: installed };
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`Chromium from npm does not run on ${process.platform} ${process.arch}.`);
  // Its libraries lie beside it; where the system has them too, the system's are not used.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: bundled } = await import("@sparticuz/chromium");
  const executablePath = await bundled.executablePath();
  const libraries = join(tmpdir(), "al2023/lib");
  const hasLibraries = await access(libraries).then(
    () => true,
    () => false,
  );
  return {
    executablePath,
    // Not the arguments it suggests: they switch off the security of the web that is tested here.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    env: {
      ...(process.env as Record<string, string>),
      FONTCONFIG_FILE: await writeFontConfiguration(),
      ...(hasLibraries && { LD_LIBRARY_PATH: `${libraries}:${process.env.LD_LIBRARY_PATH ?? ""}` }),
    },
  };
}
