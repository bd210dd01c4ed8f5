import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nodeNumberFile } from "./node-number-file.ts";

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "il-node-number-"));
  data = mkdtempSync(join(folder, "data-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("is known again in the same directory, also when that was renamed", () => {
  expect(nodeNumberFile(data).read()).toBeUndefined();
  nodeNumberFile(data).keep(7);
  expect(nodeNumberFile(data).read()).toBe(7);
  renameSync(data, join(folder, "renamed"));
  expect(nodeNumberFile(join(folder, "renamed")).read()).toBe(7);
});

it("is not that of a copy, nor of a version that did not keep the place", () => {
  nodeNumberFile(data).keep(7);
  const copy = join(folder, "copy");
  cpSync(data, copy, { recursive: true });
  expect(nodeNumberFile(copy).read()).toBeUndefined();
  writeFileSync(join(data, "node"), "7\n");
  expect(nodeNumberFile(data).read()).toBeUndefined();
});
