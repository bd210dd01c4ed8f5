import { expect, test } from "vitest";
import { searchPath } from "./search-path.ts";

test("a program that lies in a project does not run in the place of one on the PATH", () => {
  expect(searchPath({ PATH: ".:/usr/local/bin::bin:../tools:/usr/bin:" })).toBe("/usr/local/bin:/usr/bin");
});

test("npm's entries are left out, wherever they lie", () => {
  const path = "/me/app/node_modules/.bin:/usr/bin:/npm/node-gyp-bin/:node_modules/.bin";
  expect(searchPath({ PATH: path })).toBe("/usr/bin");
});

test("an environment without a PATH has an empty one", () => {
  expect(searchPath({})).toBe("");
});
