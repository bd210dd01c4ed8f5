/** A real browser that needs nothing of the system: Chromium from npm, with the libraries it may miss. */
import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { importLocked } from "../locked-packages.ts";
import { writeFontConfiguration } from "./fonts.ts";

/** What is used of `@sparticuz/chromium`. */
interface Chromium {
  readonly default: { executablePath(): Promise<string> };
}

/** While the file is loaded: no hook ends it, and an installation that fails is no reason to skip. */
const bundled = await installBundled();

/** Undefined if INTERLINGUA_NO_BROWSER says that none is wanted. Rejects where none can be started. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (process.env.INTERLINGUA_NO_BROWSER === "1") return undefined;
  try {
    return await chromium.launch(await launchOptions());
  } catch (error) {
    throw new Error(
      `No browser can be started here: ${(error as Error).message.split("\n")[0]} Set INTERLINGUA_TEST_CHROME to the path of ` +
        "Chrome or Chromium, or INTERLINGUA_NO_BROWSER=1 to skip what needs one.",
      { cause: error },
    );
  }
}

/** Two test files that unpack the browser at once would start a file that the other one still writes. */
export async function unpackBrowser(): Promise<void> {
  await bundled?.default.executablePath();
}

/** Undefined where another one is named, or this one does not run. */
async function installBundled(): Promise<Chromium | undefined> {
  if (process.env.INTERLINGUA_TEST_CHROME || process.platform !== "linux" || process.arch !== "x64") return;
  // Read when it is imported. Its libraries lie beside it; where the system has them too, the system's are not used.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  return importLocked("browser", "@sparticuz/chromium");
}

async function launchOptions() {
  const installed = process.env.INTERLINGUA_TEST_CHROME;
  if (installed) return { executablePath: installed };
  if (!bundled) throw new Error(`Chromium from npm does not run on ${process.platform} ${process.arch}.`);
  const executablePath = await bundled.default.executablePath();
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
