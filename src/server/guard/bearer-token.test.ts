import { expect, test } from "vitest";
import { TokenCheck } from "../people/compare-tokens.ts";
import { tokenIn } from "./bearer-token.ts";

const check = new TokenCheck("secret");
const accepts = (header: string | undefined) => check.accepts(tokenIn(header));

test.each(["Bearer secret", "bearer secret", "Token secret", "TOKEN  secret "])("takes %j", (header) => {
  expect(accepts(header)).toBe(true);
});

test.each([
  undefined,
  "",
  "secret",
  "Bearer",
  "Bearer ",
  "Bearer secre",
  "Bearer secret2",
  "Basic secret",
  "Bearer a secret",
])("refuses %j", (header) => {
  expect(accepts(header)).toBe(false);
});

test("an empty token would let everybody in", () => {
  expect(() => new TokenCheck("")).toThrow("needs a token");
});
