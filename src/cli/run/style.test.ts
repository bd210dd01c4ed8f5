import { expect, test } from "vitest";
import { harmless } from "./style.ts";

test("what an agent says cannot clear the screen, set the title or go back in the line", () => {
  expect(harmless("a\u001b[2Jb\u001b]0;title\u0007c\rd\u009b31m\n\te")).toBe("a[2Jb]0;titlecd31m\n\te");
});
