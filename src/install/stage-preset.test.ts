import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stagePreset } from "./stage-preset.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-stage-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

const native = (libc: string) => ({
  version: "1.0.0",
  integrity: "sha512-x",
  optional: true,
  os: ["linux"],
  libc: [libc],
});

const packages = {
  package: { dependencies: { tool: "1.0.0" } },
  lock: {
    packages: {
      "": { dependencies: { tool: "1.0.0" } },
      "node_modules/tool": {
        version: "1.0.0",
        optionalDependencies: { "@tool/glibc": "1.0.0", "@tool/musl": "1.0.0", "tool-inner": "1.0.0" },
      },
      "node_modules/@tool/glibc": native("glibc"),
      "node_modules/@tool/musl": native("musl"),
      "node_modules/tool/node_modules/tool-inner": native("musl"),
    },
  },
};

test.each([
  ["linux-x64", "glibc", ["@tool/glibc"]],
  ["linux-x64-musl", "musl", ["@tool/musl", "tool-inner"]],
])("on %s npm is shown no program for another C library", async (platform, libc, optional) => {
  const program = { file: `node_modules/@tool/${libc}/tool`, bytes: 1 };
  await stagePreset({ packages, program, platform }, directory);
  const read = (file: string) => JSON.parse(readFileSync(join(directory, file), "utf8"));
  const { packages: staged } = read("package-lock.json");
  expect(Object.keys(staged["node_modules/tool"].optionalDependencies)).toEqual(optional);
  const natives = Object.keys(staged).filter((key) => /@tool|inner/.test(key));
  expect(natives.map((key) => key.replace(/.*node_modules\//, ""))).toEqual(optional);
  // The one that is needed is no option any more.
  expect(staged[`node_modules/@tool/${libc}`].optional).toBeUndefined();
  expect(read("package.json").dependencies).toEqual({ tool: "1.0.0", [`@tool/${libc}`]: "1.0.0" });
});
