import { expect, it } from "vitest";
import type { FileDifference } from "../../core/workspace.ts";
import { attributeBesideOthers } from "./attribute-changes.ts";

const CWD = "/nowhere/project";

function changes(...paths: string[]): FileDifference[] {
  return paths.map((path) => ({ path, status: "modified", additions: 1, deletions: 1 }));
}

it("beside agents of other nodes only what this one said, and they did not, is its own", async () => {
  const own = { cwd: CWD, edited: ["own", `${CWD}/both`] };
  const elsewhere = [{ cwd: "/nowhere", edited: ["project/both", "project/theirs"] }];
  const found = await attributeBesideOthers(changes("own", "both", "theirs", "nobody's"), own, [], elsewhere);
  expect(found.mixed.toSorted()).toEqual(["both", "nobody's", "theirs"]);
  expect(found.foreign).toEqual([]);
});

it("what another session of this node alone said it did stays that one's", async () => {
  const others = [{ cwd: CWD, edited: ["beside"] }];
  const found = await attributeBesideOthers(changes("beside"), { cwd: CWD, edited: [] }, others, []);
  expect(found).toMatchObject({ foreign: ["beside"], mixed: [] });
});

it("where nobody knows what others did, everything may be theirs", async () => {
  const own = { cwd: CWD, edited: ["own"] };
  const found = await attributeBesideOthers(changes("own", "other"), own, [], "unknown");
  expect(found.mixed.toSorted()).toEqual(["other", "own"]);
});
