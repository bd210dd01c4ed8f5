import { expect, it } from "vitest";
import { nodeLabels } from "./node-labels.ts";

it("two nodes of one name are told apart by their numbers, others go by their names alone", () => {
  const sessions = [
    { node: "box", nodeNumber: 1 },
    { node: "box", nodeNumber: 2 },
    { node: "other", nodeNumber: 3 },
    { node: "other", nodeNumber: 3 },
    { node: "older" },
    {},
  ];
  expect(sessions.map(nodeLabels(sessions))).toEqual([
    "box #1",
    "box #2",
    "other",
    "other",
    "older",
    undefined,
  ]);
});
