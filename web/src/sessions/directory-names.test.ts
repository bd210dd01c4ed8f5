import fc from "fast-check";
import { expect, test } from "vitest";
import { directoryNames } from "./directory-names.ts";

test("the last folder, with as many above it as are needed", () => {
  const names = directoryNames(["/a/shop/web", "/a/docs/web/", "/b/api", "/", "", "/web"]);
  expect([...names]).toEqual(
    expect.arrayContaining([
      ["/a/shop/web", "shop/web"],
      ["/a/docs/web/", "docs/web"],
      ["/b/api", "api"],
    ]),
  );
});

test("each path has a name of its own that it ends with", () => {
  const path = fc
    .array(fc.constantFrom("a", "b", "c"), { maxLength: 4 })
    .map((parts) => `/${parts.join("/")}`);
  fc.assert(
    fc.property(fc.uniqueArray(path), (paths) => {
      const names = directoryNames(paths);
      expect(new Set(names.values()).size).toBe(paths.length);
      for (const [of, name] of names) expect(of.endsWith(name)).toBe(true);
    }),
  );
});
