import { expect, test } from "vitest";
import { clientName } from "./client-name.ts";

test.each([
  [undefined, "owner"],
  ["", "owner"],
  ["<>\n", "owner"],
  ["my phone", "owner (my phone)"],
  ['a"); drop', "owner (a drop)"],
  ["x".repeat(100), `owner (${"x".repeat(64)})`],
])("%j is named %j", (header, name) => {
  expect(clientName("owner", header)).toBe(name);
});
