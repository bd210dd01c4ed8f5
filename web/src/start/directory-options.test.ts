import { expect, test } from "vitest";
import { directoryOptions, directoryQuery, rootOptions } from "./directory-options.ts";

const HERE = {
  path: "/home/me",
  parent: "/home",
  directories: [
    { name: "atlas", path: "/home/me/atlas", isRepository: true as const },
    { name: "notes", path: "/home/me/notes" },
    { name: ".config", path: "/home/me/.config", isHidden: true as const },
  ],
};

const shown = (...given: Parameters<typeof directoryOptions>) =>
  directoryOptions(...given).map(({ act, path, isUp }) => `${act} ${path}${isUp ? " up" : ""}`);

test("at the beginning: those used last, which end the choice, and the roots, which are looked into", () => {
  const roots = { directories: [{ name: "me", path: "/home/me" }] };
  expect(directoryQuery({ at: undefined, text: "" })).toEqual({});
  expect(shown({ at: undefined, text: "" }, roots, ["/home/me/atlas"])).toEqual([
    ...["use /home/me/atlas", "go /home/me"],
  ]);
  expect(shown({ at: undefined, text: "ATL" }, roots, ["/home/me/atlas"])).toEqual(["use /home/me/atlas"]);
});

test("in a directory: itself first, then the one above, then those in it without hidden ones", () => {
  expect(directoryQuery({ at: "/home/me", text: "no" })).toEqual({ path: "/home/me", search: "no" });
  expect(shown({ at: "/home/me", text: "" }, HERE, ["/x"])).toEqual([
    ...["use /home/me", "go /home up", "go /home/me/atlas", "go /home/me/notes"],
  ]);
  expect(shown({ at: "/home/me", text: "no" }, HERE, [])).toEqual(["go /home/me/notes"]);
  expect(shown({ at: "/home/me", text: ".c" }, HERE, [])).toEqual(["go /home/me/.config"]);
});

test("a part of a name finds what lies deeper, with the folders around it, and nothing twice", () => {
  const found = {
    directories: [
      { name: "maps", path: "/home/me/atlas/maps" },
      { name: "old-maps", path: "/home/me/atlas/archive/old-maps" },
    ],
  };
  expect(directoryQuery({ at: undefined, text: " maps" })).toEqual({ search: "maps" });
  expect(
    directoryOptions({ at: undefined, text: "maps" }, found, ["/home/me/atlas/maps"]).map(
      ({ act, path, where }) => [act, path, where],
    ),
  ).toEqual([
    ["use", "/home/me/atlas/maps", undefined],
    ["go", "/home/me/atlas/archive/old-maps", "atlas/archive"],
  ]);
  const deep = {
    ...HERE,
    directories: [...HERE.directories, { name: "attic", path: "/home/me/notes/attic" }],
  };
  expect(shown({ at: "/home/me", text: "at" }, deep, [])).toEqual([
    ...["go /home/me/atlas", "go /home/me/notes/attic"],
  ]);
  // Of a path that is written only what is right there.
  expect(shown({ at: undefined, text: "/home/me/at" }, deep, [])).toEqual(["go /home/me/atlas"]);
});

test("a path that is written leads to its directory, wherever somebody is", () => {
  expect(directoryQuery({ at: undefined, text: "/home/me/at" })).toEqual({ path: "/home/me", search: "at" });
  expect(directoryQuery({ at: "/x", text: "/home/me/" })).toEqual({ path: "/home/me" });
  expect(directoryQuery({ at: undefined, text: "/" })).toEqual({ path: "/" });
  expect(shown({ at: undefined, text: "/home/me/at" }, HERE, ["/x"])).toEqual(["go /home/me/atlas"]);
  expect(shown({ at: undefined, text: "/home/me/" }, HERE, [])[0]).toBe("use /home/me");
});

test("a root is offered while its path is written", () => {
  const roots = { directories: [{ name: "me", path: "/home/me" }] };
  for (const text of ["/", "/ho", "/home/", "/home/m"])
    expect(rootOptions(text, roots)).toMatchObject([{ act: "go", path: "/home/me" }]);
  expect(rootOptions("/etc", roots)).toEqual([]);
});
