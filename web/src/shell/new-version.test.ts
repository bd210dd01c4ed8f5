import { expect, test } from "vitest";
import { entryOf } from "./new-version.ts";

test("the entry of a built page is found", () => {
  const html = `<script src="/theme.js"></script>
    <script type="module" crossorigin src="/assets/index-BQ3xK_1.js"></script>`;
  expect(entryOf(html)).toBe("/assets/index-BQ3xK_1.js");
  expect(entryOf("<h1>The page is not built</h1>")).toBeUndefined();
});
