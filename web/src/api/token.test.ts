import { expect, test } from "vitest";
import { tokenInFragment, tokenInText } from "./token.ts";

test("a fragment carries the token, alone or among others", () => {
  expect(tokenInFragment("#token=abc")).toBe("abc");
  expect(tokenInFragment("#x=1&token=a%2Bb")).toBe("a+b");
  expect(tokenInFragment("#/sessions/abc")).toBeUndefined();
  expect(tokenInFragment("#token=")).toBeUndefined();
});

test("a person may paste the link or the token", () => {
  expect(tokenInText(" http://127.0.0.1:4111/#token=abc \n")).toBe("abc");
  expect(tokenInText(" abc ")).toBe("abc");
  expect(tokenInText("  ")).toBeUndefined();
});
