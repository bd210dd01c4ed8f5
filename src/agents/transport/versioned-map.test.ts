import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withEntry, withoutEntry } from "./map-entry.ts";

describe("a map that is never changed", () => {
  it("is in every version what a copy would be", () => {
    const change = fc.record({
      key: fc.integer({ min: 0, max: 5 }),
      value: fc.option(fc.string()),
      from: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const versions: ReadonlyMap<number, string>[] = [new Map()];
        const copies = [new Map<number, string>()];
        for (const { key, value, from } of changes) {
          const at = from % versions.length;
          const copy = new Map(copies[at]);
          if (value === null) copy.delete(key);
          else copy.set(key, value);
          copies.push(copy);
          const before = versions[at]!;
          versions.push(value === null ? withoutEntry(before, key) : withEntry(before, key, value));
        }
        for (const [at, version] of versions.entries()) {
          expect(new Map([...version].sort())).toEqual(new Map([...copies[at]!].sort()));
          expect(version.size).toBe(copies[at]!.size);
        }
      }),
    );
  });

  it("lets go of what was set first, when there is too much and when it is too large", () => {
    const few = { entries: 3, size: 1000 };
    let map: ReadonlyMap<string, string> = new Map();
    for (const key of ["a", "b", "c", "d"]) map = withEntry(map, key, "x", few);
    expect([...map.keys()]).toEqual(["b", "c", "d"]);
    map = withEntry(map, "e", "x".repeat(992), few);
    expect([...map.keys()]).toEqual(["e"]);
    expect(withEntry(map, "f", "x".repeat(2000), few).size).toBe(0);
  });

  it("can be changed while somebody goes through an earlier version", () => {
    let map: ReadonlyMap<string, number> = new Map();
    for (const key of ["a", "b", "c"]) map = withEntry(map, key, 1);
    const seen: string[] = [];
    let changed = map;
    for (const [key, value] of map) {
      seen.push(`${key}${value}`);
      changed = withEntry(withEntry(changed, "c", 2), `${key}${key}`, 3);
    }
    expect(seen).toEqual(["a1", "b1", "c1"]);
    expect(changed.size).toBe(6);
  });
});
