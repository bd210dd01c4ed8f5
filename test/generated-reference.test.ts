/** The pages of docs/reference/ that are made from the code are those that it makes. `npm run reference` writes them. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { GENERATED_PAGES } from "../scripts/reference/pages.ts";

const FOLDER = resolve(import.meta.dirname, "../docs/reference");

test.each(Object.entries(GENERATED_PAGES))("%s is current", (name, write) => {
  expect(readFileSync(join(FOLDER, name), "utf8"), "run npm run reference").toBe(write());
});
