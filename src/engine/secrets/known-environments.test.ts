/** For how long the values of a session are known. */
import { expect, it } from "vitest";
import { KnownEnvironments } from "./known-environments.ts";

const VALUES = { KEY: "value" };
const END = { createdAt: 1, head: 5 };

function dropped(): KnownEnvironments {
  const known = new KnownEnvironments();
  known.created("s", VALUES);
  known.dropped("s", END);
  return known;
}

it("they are known again when the log is as it was", () => {
  const known = dropped();
  known.loaded("s", END);
  expect(known.get("s")).toEqual(VALUES);
  expect(known.unloaded).toEqual([]);
});

it.each([
  ["went on elsewhere", { createdAt: 1, head: 6 }],
  ["is that of another session", { createdAt: 2, head: 3 }],
  ["is gone", undefined],
])("they are forgotten when the log %s", (_, end) => {
  const known = dropped();
  expect(known.unloaded).toEqual(["s"]);
  known.found("s", end);
  expect(known.get("s")).toBeUndefined();
});

it("a new session without values has none", () => {
  const known = dropped();
  known.created("s", undefined);
  expect(known.get("s")).toBeUndefined();
});
