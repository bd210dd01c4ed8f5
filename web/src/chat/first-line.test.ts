import { expect, test } from "vitest";
import { firstLine } from "./first-line.ts";

test.each([
  ["## Done\n\nYou said: *And once more.*", "Done"],
  ["\n\nYou said: *And once more.*\nAnd more", "You said: And once more."],
  ["- **Read** `a_file.ts` in [the docs](x.md)", "Read a_file.ts in the docs"],
  ["```ts\nconst a = 1;\n```", "const a = 1;"],
  ["---\n> Quoted", "Quoted"],
  ["snake_case_name stays, as 2 * 3 * 4 does", "snake_case_name stays, as 2 * 3 * 4 does"],
  ["", ""],
])("%j begins with %j", (markdown, line) => {
  expect(firstLine(markdown)).toBe(line);
});
