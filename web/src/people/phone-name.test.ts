import { expect, test } from "vitest";
import { phoneName, phonesAmong } from "./phone-name.ts";

test("each phone has a name of its own, and is found by it", () => {
  const tokens: { name: string }[] = [{ name: "anna" }, { name: "Phones" }];
  for (let count = 0; count < 3; count += 1) tokens.push({ name: phoneName(tokens) });
  expect(phonesAmong(tokens).map(({ name }) => name)).toEqual(["Phone", "Phone 2", "Phone 3"]);
  expect(phoneName([{ name: "phone" }])).toBe("Phone 2");
});
