/** Where no browser starts, the suites of the page fail; they are skipped only by whoever says so. */
import { expect, test, vi } from "vitest";
import { openBrowser } from "./open-browser.ts";

test("no browser is an error that says what helps", async () => {
  vi.stubEnv("INTERLINGUA_NO_BROWSER", undefined);
  vi.stubEnv("INTERLINGUA_TEST_CHROME", "/no/such/chrome");
  try {
    await expect(openBrowser()).rejects.toThrow(/INTERLINGUA_TEST_CHROME.*INTERLINGUA_NO_BROWSER=1/);
    vi.stubEnv("INTERLINGUA_NO_BROWSER", "1");
    expect(await openBrowser()).toBeUndefined();
  } finally {
    vi.unstubAllEnvs();
  }
});
