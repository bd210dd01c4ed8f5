import fc from "fast-check";
import { expect, test } from "vitest";
import { TimeSlices } from "../../core/time-slices.ts";
import { rankPaths } from "./rank-paths.ts";

const slices = new TimeSlices();

async function rank(paths: readonly string[], search: string, limit = 10): Promise<string[]> {
  return (await rankPaths(paths, { search, limit, slices })).map(({ path }) => path);
}

test("a name comes before its beginning, a part of it, a part of the path and scattered letters", async () => {
  const paths = ["x/a-p-p", "a/p/p", "lib/app/z.ts", "my-app.ts", "src/app.ts", "app"];
  expect(await rank(paths, "app")).toEqual([
    ...["app", "lib/app", "src/app.ts", "my-app.ts", "lib/app/z.ts", "x/a-p-p", "a/p/p"],
  ]);
  expect(await rank(paths, "./SRC/")).toEqual(["src/app.ts"]);
  expect(await rank(["my file.txt"], "my file")).toEqual(["my file.txt"]);
});

test("without letters what is near to the top comes first", async () => {
  expect(await rank(["a/b/c", "a/b/d", "z"], "")).toEqual(["a", "z", "a/b", "a/b/c", "a/b/d"]);
});

test("whatever is found has the letters in their order, once, and there are no more than wanted", async () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "b", "A", ".", "é", "🙂"),
    minLength: 1,
    maxLength: 4,
  });
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { maxLength: 30 }),
      name,
      fc.integer({ min: 1, max: 5 }),
      async (paths, search, limit) => {
        const found = await rankPaths(paths, { search, limit, slices });
        expect(found.length).toBeLessThanOrEqual(limit);
        const letters = [...search.replace(/^(\.?\/)+/, "").toLowerCase()];
        for (const { path, isDirectory } of found) {
          const isKnown = isDirectory
            ? paths.some((one) => one.startsWith(`${path}/`))
            : paths.includes(path);
          expect(isKnown).toBe(true);
          let at = -1;
          for (const letter of letters) {
            at = path.toLowerCase().indexOf(letter, at + 1);
            expect(at).toBeGreaterThanOrEqual(0);
          }
        }
      },
    ),
  );
});
