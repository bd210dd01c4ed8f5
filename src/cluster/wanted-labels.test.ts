import { expect, test } from "vitest";
import { assertLabels, wantedLabels } from "./wanted-labels.ts";

test.each([
  [undefined, undefined],
  [{}, undefined],
  [{ nodeLabels: null }, undefined],
  [{ nodeLabels: {} }, undefined],
  [{ nodeLabels: { gpu: "yes" }, other: 1 }, { gpu: "yes" }],
])("metadata %j asks for %j", (metadata, labels) => {
  expect(() => assertLabels(metadata)).not.toThrow();
  expect(wantedLabels(metadata)).toEqual(labels);
});

test.each([["gpu"], [["gpu"]], [{ gpu: true }]])("%j is refused by its field", (nodeLabels) => {
  expect(() => assertLabels({ nodeLabels })).toThrow(/metadata\.nodeLabels names the labels/);
  expect(wantedLabels({ nodeLabels })).toBeUndefined();
});
