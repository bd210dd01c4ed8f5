import { expect, test } from "vitest";
import { needsProgram } from "./needs-program.ts";

test.each([
  [{ installed: false, remedy: "Run `interlingua agents install claude`." }, true],
  [{ installed: true, version: "2.0.1", remedy: "Claude Code 2.0.1 is too old." }, true],
  [{ installed: true, version: "2.1.325", signedIn: false, remedy: "Nobody is signed in." }, false],
  [{ installed: true, version: "2.1.325", signedIn: true }, false],
  [{ installed: true }, false],
])("%j", (status, expected) => {
  expect(needsProgram(status)).toBe(expected);
});
