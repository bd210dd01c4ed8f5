import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { searchPath } from "../core/search-path.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import { until } from "../testkit/until.ts";
import { createPrograms } from "./local-programs.ts";
import { TestRegistry } from "./registry.test-support.ts";

const INSTALLER = join(import.meta.dirname, "killed-installation.test-support.ts");

let registry: TestRegistry;

beforeEach(async () => {
  registry = await TestRegistry.start();
});

afterEach(() => registry.close());

test("what a killed installation left is removed by the next", async () => {
  const { preset, presetsDirectory } = registry;
  const dataDirectory = join(registry.directory, "data");
  const entries = () =>
    readdirSync(join(dataDirectory, "agents/tool/program")).filter((name) => !name.startsWith("lock.db"));
  const environment = registry.environment();
  registry.hold();
  const options = JSON.stringify({ preset, presetsDirectory, dataDirectory });
  const installer = spawn(process.execPath, [INSTALLER, options], { env: environment });
  await until(() => registry.downloads.length > 0);
  installer.kill("SIGKILL");
  await once(installer, "exit");
  expect(entries()).toEqual([expect.stringMatching(/^\.unfinished-/)]);

  registry.letGo();
  const processHost = createProcessHost({ daemonId: randomUUID(), environment });
  const programs = createPrograms({
    processHost,
    dataDirectory,
    presetsDirectory,
    searchPath: searchPath(environment),
  });
  try {
    // The lock went with the process.
    await programs.install(preset);
    expect(entries()).toEqual(["1.0.0"]);
  } finally {
    await processHost.close();
  }
});
