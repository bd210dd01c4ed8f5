import { expect, test } from "vitest";
import { isNamed } from "./is-named.ts";

test("a token's name is its own, with a client or without, and nobody else's", () => {
  for (const by of ["ada", "ada (page)", "ada (my phone)"]) expect(isNamed(by, "ada"), by).toBe(true);
  for (const by of ["ada 2", "ada 2 (page)", "adam", "owner (ada)", ""])
    expect(isNamed(by, "ada"), by).toBe(false);
});
