import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { forgetKept, useKept } from "./use-kept.ts";

/** Renders a component that stores `next`. Returns the value its first render read. */
function replaceKept(name: string, next: string): string | undefined {
  let first: string | undefined;
  renderToString(
    createElement(() => {
      const [value, set] = useKept(name, () => "nothing");
      first ??= value;
      if (value !== next) set(next);
      return null;
    }),
  );
  return first;
}

test("forgetting the draft of one ask keeps the draft of another whose id begins the same", () => {
  replaceKept("ask s a1 reason", "first");
  replaceKept("ask s a15 reason", "second");
  forgetKept("ask s a1");
  expect(replaceKept("ask s a1 reason", "first")).toBe("nothing");
  expect(replaceKept("ask s a15 reason", "second")).toBe("second");
});
