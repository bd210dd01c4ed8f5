import { describe, expect, test } from "vitest";
import { explainNpmFailure } from "./explain-npm-failure.ts";

const FAILED = { code: 1, signal: null };

function explain(stderr: string, exit: { code: number | null; signal: string | null } = FAILED): string {
  const error = explainNpmFailure(stderr, exit);
  expect(error.code).toBe("install_failed");
  return error.message;
}

describe("npm's codes", () => {
  test.each([
    ["npm error code ENOSPC\nnpm error syscall write", "the disk is full"],
    ["npm ERR! code EINTEGRITY", "not what was published"],
    ["npm error code EAI_AGAIN", "cannot be reached"],
    ["npm error code E401", "npm login"],
    ["npm error code ETARGET\nnpm error notarget No matching version", "does not have this version"],
    ["npm warn something\nnpm error code E404", "does not have the package"],
  ])("%s", (stderr, expected) => {
    expect(explain(stderr)).toContain(expected);
  });
});

test("another one is told in npm's own words, without its log file", () => {
  const stderr = [
    "npm error code EWHATEVER",
    "npm error Something else went wrong.",
    "npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log",
  ].join("\n");
  expect(explain(stderr)).toBe(
    "Nothing was installed: npm exited with code 1 and said: Something else went wrong.",
  );
});

test("silence is told, too", () => {
  expect(explain("", { code: null, signal: "SIGKILL" })).toContain(
    "was ended by SIGKILL and did not say why",
  );
});
