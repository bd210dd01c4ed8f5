import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentContext } from "../agents/agent-context.test-support.ts";
import { createAgents } from "../agents/registry.ts";
import type { ProcessHost } from "../process/process-host.ts";
import {
  isForPlatforms,
  PRESETS_DIRECTORY,
  readPresetPackages,
  readPresetPrograms,
} from "./preset-folder.ts";

const agents = createAgents(agentContext({} as ProcessHost, ":memory:"));

const presets = readdirSync(PRESETS_DIRECTORY);

test("there are presets", () => {
  expect(presets).not.toEqual([]);
});

describe.each(presets)("%s", (name) => {
  const folder = join(PRESETS_DIRECTORY, name);

  test("pins exact versions, with an integrity for every package and an address for none", async () => {
    const { package: manifest, lock } = await readPresetPackages(folder);
    for (const version of Object.values(manifest.dependencies))
      expect(version).toMatch(/^\d+\.\d+\.\d+[\w.+-]*$/);
    const { "": root, ...packages } = lock.packages;
    expect(root?.dependencies).toEqual(manifest.dependencies);
    for (const entry of Object.values(packages)) {
      expect(entry.integrity).toMatch(/^sha512-/);
      expect(entry).not.toHaveProperty("resolved");
    }
  });

  test("its programs are in packages of the lock, and their sizes are known", async () => {
    const programs = await readPresetPrograms(folder);
    const { lock } = await readPresetPackages(folder);
    const names = Object.keys(lock.packages);
    for (const { file, bytes } of Object.values(programs)) {
      expect(names.some((key) => key !== "" && file.startsWith(`${key}/`))).toBe(true);
      expect(bytes).toBeGreaterThan(0);
    }
    if (isForPlatforms(lock)) expect(programs).not.toHaveProperty("any");
  });
});

test.each([...agents.values()].filter(({ program }) => program).map((agent) => [agent.name, agent.program!]))(
  "what %s wants is what its preset has",
  async (name, program) => {
    const { package: manifest } = await readPresetPackages(join(PRESETS_DIRECTORY, name));
    expect(program.agent).toBe(name);
    expect(manifest.dependencies[program.package]).toBe(program.version);
  },
);
