import { expect, test } from "vitest";
import { shownName } from "./shown-name.ts";

test("only the page itself is left out of a name", () => {
  expect(shownName("Ada (page)")).toBe("Ada");
  expect(shownName("Ada (phone)")).toBe("Ada (phone)");
  expect(shownName("Ada")).toBe("Ada");
  expect(shownName("owner (page)")).toBe("the owner");
  expect(shownName("owner (cli)")).toBe("the owner (cli)");
  expect(shownName("owners")).toBe("owners");
  expect(shownName("x".repeat(500)).length).toBeLessThan(100);
});
