// Writes the pages of docs/reference/ that are made from the code. test/generated-reference.test.ts holds them current.

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { GENERATED_PAGES } from "./reference/pages.ts";

const FOLDER = resolve(import.meta.dirname, "../docs/reference");

for (const [name, write] of Object.entries(GENERATED_PAGES)) {
  writeFileSync(join(FOLDER, name), write());
  console.log(`docs/reference/${name}`);
}
