/** Packages that only tests need, from a registry on loopback. */
import { execFile } from "node:child_process";
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestRegistry } from "../src/install/registry.test-support.ts";
import { until } from "../src/testkit/until.ts";
import { installLocked } from "./locked-packages.ts";

let registry: TestRegistry;
let folder: string;
let cache: string;

beforeEach(async () => {
  registry = await TestRegistry.start();
  folder = join(registry.presetsDirectory, "tool");
  cache = join(registry.directory, "cache");
});

afterEach(() => registry.close());

const install = () => installLocked(folder, { cache, environment: registry.environment() });

/** Installs in a process of its own, as another worker does; gives the folder. */
async function installElsewhere(): Promise<string> {
  const helper = resolve(import.meta.dirname, "locked-packages.ts");
  const program = [
    `import { installLocked } from ${JSON.stringify(helper)};`,
    `const options = { cache: ${JSON.stringify(cache)} };`,
    `console.log(await installLocked(${JSON.stringify(folder)}, options));`,
  ];
  const args = ["--input-type=module-typescript", "--no-warnings", "--eval", program.join("\n")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: registry.environment() });
  return stdout.trim();
}

test("workers that ask at the same time share one installation", async () => {
  registry.hold();
  const asked = [installElsewhere(), installElsewhere(), install()];
  await until(() => registry.downloads.length > 0);
  registry.letGo();
  const [first, ...others] = await Promise.all(asked);
  expect(others).toEqual([first, first]);
  expect(registry.downloads.filter((name) => name === "tool")).toHaveLength(1);
  expect(existsSync(join(first!, "node_modules/tool/package.json"))).toBe(true);
});

test("what is installed needs no network", async () => {
  const directory = await install();
  const fetched = registry.downloads.length;
  const unreachable = registry.environment({ NPM_CONFIG_REGISTRY: "http://127.0.0.1:1/" });
  expect(await installLocked(folder, { cache, environment: unreachable })).toBe(directory);
  expect(registry.downloads).toHaveLength(fetched);
});

test("another lock is another installation", async () => {
  const before = await install();
  appendFileSync(join(folder, "package-lock.json"), "\n");
  expect(await install()).not.toBe(before);
});

test("where npm fails the test says what to do, and nothing is left half installed", async () => {
  const environment = registry.environment({ NPM_CONFIG_REGISTRY: "http://127.0.0.1:1/" });
  const failed = installLocked(folder, { cache, environment });
  await expect(failed).rejects.toThrow(
    /tool is not installed.*registry cannot be reached. Check the network/,
  );
  const directory = await install();
  expect(readdirSync(join(directory, "node_modules"))).toContain("tool");
  expect(readdirSync(join(cache, "packages")).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
});

test("a package that is not what was locked is refused", async () => {
  registry.isTampered = true;
  await expect(install()).rejects.toThrow("not what was published");
});
