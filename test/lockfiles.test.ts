/** Whatever npm fetches for us is checked against a checksum that is committed. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { LOCKED_MANIFESTS } from "./locked-packages.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PRESETS = join(ROOT, "src/install/presets");

interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** The packages of a lock without a checksum. */
function uncheckedPackages(file: string): [string, LockEntry][] {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, LockEntry> };
  const fetched = Object.entries(packages).filter(
    ([key, { link }]) => key.includes("node_modules/") && !link,
  );
  expect(fetched.length).toBeGreaterThan(0);
  return fetched.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

const presets = readdirSync(PRESETS, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test("there are presets", () => {
  expect(presets).not.toEqual([]);
});

test.each(presets.map(({ name }) => name))("every package of the preset %s has a checksum", (name) => {
  expect(uncheckedPackages(join(PRESETS, name, "package-lock.json"))).toEqual([]);
});

test.each(LOCKED_MANIFESTS)("every package that test/%s installs has a checksum", (name) => {
  expect(uncheckedPackages(join(ROOT, "test", name, "package-lock.json"))).toEqual([]);
});

test.each(LOCKED_MANIFESTS)("test/%s names exact versions", (name) => {
  const { dependencies } = readManifest(join(ROOT, "test", name));
  const inexact = Object.values(dependencies ?? {}).filter(
    (version) => !/^(npm:.+@)?\d[\w.-]*$/.test(version),
  );
  expect(inexact).toEqual([]);
});

test("what only tests need is not installed with the project", () => {
  const own = readManifest(ROOT).devDependencies ?? {};
  const forTests = LOCKED_MANIFESTS.flatMap((name) =>
    Object.keys(readManifest(join(ROOT, "test", name)).dependencies ?? {}),
  );
  // zod is a peer of the clients, and an older compiler one of the generator of clients.
  expect(forTests.filter((name) => name in own)).toEqual(["zod", "typescript"]);
  const otherVersions = Object.entries(own).filter(([, version]) => version.startsWith("npm:"));
  expect(otherVersions).toEqual([]);
});

test("who installs Interlingua gets no other package: libraries are bundled, and Node is for clones", () => {
  const { dependencies, optionalDependencies } = readManifest(ROOT);
  expect({ dependencies, optionalDependencies }).toEqual({});
});

/** Only those that build and test Interlingua itself have them, and only for a platform of their own. */
test("of our own packages only tools for other platforms lack a checksum, where the registry told none", () => {
  const unchecked = uncheckedPackages(join(ROOT, "package-lock.json"));
  const isForAnotherPlatform = ([key, { os, cpu }]: [string, LockEntry]) =>
    !(os?.includes("linux") ?? false) || !(cpu?.includes("x64") ?? false) || key.endsWith("-musl");
  const inTheWay = unchecked.filter(
    (entry) => !entry[1].dev || !entry[1].optional || !entry[1].cpu || !isForAnotherPlatform(entry),
  );
  expect(inTheWay.map(([key]) => key)).toEqual([]);
});

test("no lock names the address of a registry", () => {
  const files = [
    join(ROOT, "package-lock.json"),
    ...presets.map(({ name }) => join(PRESETS, name, "package-lock.json")),
    ...LOCKED_MANIFESTS.map((name) => join(ROOT, "test", name, "package-lock.json")),
  ];
  for (const file of files)
    expect(readFileSync(file, "utf8")).not.toMatch(/"resolved": "(?!scripts\/clone")/);
});
