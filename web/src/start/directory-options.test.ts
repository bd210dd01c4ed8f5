import { expect, test } from "vitest";
import { directoryOptions, directoryQuery } from "./directory-options.ts";

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
  expect(directoryQuery({ at: "/home/me", text: "no" })).toEqual({ path: "/home/me" });
  expect(shown({ at: "/home/me", text: "" }, HERE, ["/x"])).toEqual([
    ...["use /home/me", "go /home up", "go /home/me/atlas", "go /home/me/notes"],
  ]);
  expect(shown({ at: "/home/me", text: "no" }, HERE, [])).toEqual(["go /home/me/notes"]);
  expect(shown({ at: "/home/me", text: ".c" }, HERE, [])).toEqual(["go /home/me/.config"]);
});

test("a path that is written leads to its directory, wherever somebody is", () => {
  expect(directoryQuery({ at: undefined, text: "/home/me/at" })).toEqual({ path: "/home/me", search: "at" });
  expect(directoryQuery({ at: "/x", text: "/home/me/" })).toEqual({ path: "/home/me" });
  expect(directoryQuery({ at: undefined, text: "/" })).toEqual({ path: "/" });
  expect(shown({ at: undefined, text: "/home/me/at" }, HERE, ["/x"])).toEqual(["go /home/me/atlas"]);
  expect(shown({ at: undefined, text: "/home/me/" }, HERE, [])[0]).toBe("use /home/me");
});
